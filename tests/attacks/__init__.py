"""Attacks on a server; as a script (`python -m attacks`) before and after."""
