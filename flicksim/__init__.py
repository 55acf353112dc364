"""flicksim: flicking games played and studied properly.

Two wings on one ground floor, joined at one door (`play`). The table wing settles flicks (physics), the card wing
settles moves; both hand a finished account to rules that only read it. Imports run only downwards:

    cli
    ui | lab
    play
    games/<one folder each>
    physics | players | referee
    table | cards
    base

Rooms on one line do not know each other. pymunk stays in `physics`, pygame in `ui`, dice out of `physics`, `table` and
`referee`; import-linter holds it in the test run.
"""

__version__ = "0.1.0"
