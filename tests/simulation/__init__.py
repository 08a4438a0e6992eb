"""Whole servers, their database and their people in one process, under a seeded scheduler.

`loop` has the scheduler and its clock, `disk` the database, `world` the processes, the network and
the faults, `people` who plays, `truth` what must hold. `make replay SEED=…` shows one step by step.
"""
