"""Océanide's own page: one matrix of objects and seats, lying or standing."""
