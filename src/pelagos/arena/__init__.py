"""Many games: simulation, and what this machine can do."""
