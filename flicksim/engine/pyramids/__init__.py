"""3D simulation of pyramids as hollow shells that fly, tumble, lean and nest, until all is at rest.

Every piece is a rigid body with its own mass and inertia. Corners and edges meet the table, its edge and each other's
walls, from outside and from within the hollow.
"""
