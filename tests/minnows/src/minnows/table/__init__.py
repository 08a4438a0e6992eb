"""Minnows' own table."""
