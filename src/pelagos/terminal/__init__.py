"""The terminal table: any installed game against bots or several people at one keyboard.

Drawn from the view alone; needs no server and no browser.
"""
