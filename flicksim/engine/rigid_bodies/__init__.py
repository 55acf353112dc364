"""Core of the 3D rigid-body simulations, shared by winks and pyramids.

State is arrays of rows: bodies [N, columns] and the contacts of a step [C, columns], with one layout of columns.
Contacts are soft constraints solved at velocity level by projected Gauss-Seidel iterations. The narrow phases, broad
phases and time stepping of each shape are in `winks` and `pyramids`.
"""
