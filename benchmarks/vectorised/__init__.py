"""Draws for whole columns with numpy: the integers that the mechanisms draw one by one."""
