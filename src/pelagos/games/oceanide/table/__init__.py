"""Océanide's own page: cabinets on a wide screen, one matrix of objects and seats on a phone."""
