"""Ecosystem's own table in the browser."""
