"""stub"""

from __future__ import annotations

from flicksim.ui.felt.cloth import Cloth

HELP = (("Tinkle", ""),)


class TinkleCloth(Cloth):
    """stub"""
