"""Hints of a match screen: the one being worked out, and the outcome scatter of the last."""

from collections.abc import Callable

from flicksim.gui.table_view import Hint, OutcomeScatter
from flicksim.match import BackgroundTask


class HintRequests:
    """Hint that is being worked out for a match screen, and the outcome scatter of the shot hinted last."""

    def __init__(self) -> None:
        self.request: BackgroundTask[Hint] | None = None
        self.scatter: OutcomeScatter | None = None

    @property
    def is_requested(self) -> bool:
        """True while a hint is being worked out."""
        return self.request is not None

    def poll(self, on_hint: Callable[[Hint], None]) -> None:
        """Hand over the hint requested, once it is done."""
        if self.request is not None and self.request.is_done:
            request, self.request = self.request, None
            on_hint(request.result())

    def cancel(self) -> None:
        """Cancel the request."""
        if self.request is not None:
            self.request.cancel()
        self.request = None

    def show_scatter(self, scatter: OutcomeScatter) -> None:
        """Show an outcome scatter in place of the last one."""
        self.clear_scatter()
        self.scatter = scatter

    def clear_scatter(self) -> None:
        """Remove the outcome scatter."""
        if self.scatter is not None:
            self.scatter.cancel()
        self.scatter = None
