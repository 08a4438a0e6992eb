"""Oceanos' own table: three rows as one cross-section of the sea, a submarine that grows below."""
