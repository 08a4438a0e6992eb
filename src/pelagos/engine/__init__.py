"""What every game stands on: rules, chance, the registry, matches, batches, records, packs."""
