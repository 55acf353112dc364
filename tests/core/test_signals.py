"""Interrupts: raised at once, but for callbacks of the compiler and the engine, which would swallow them."""

import ctypes
import signal
from collections.abc import Callable, Iterator
from threading import Event
from types import CodeType

import pymunk
import pytest

from flicksim.core.signals import raise_interrupt


@pytest.fixture
def interrupt() -> Iterator[Callable[[], None]]:
    before = signal.signal(signal.SIGINT, raise_interrupt)
    yield lambda: signal.raise_signal(signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def test_interrupt_is_raised_at_once(interrupt: Callable[[], None]) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_interrupt_in_a_callback_of_the_compiler_is_raised_after_it(interrupt: Callable[[], None]) -> None:
    finished: list[bool] = []

    def _raw_object_cache_notify() -> None:
        interrupt()
        finished.append(True)

    callback = ctypes.CFUNCTYPE(None)(_raw_object_cache_notify)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012, it may be raised at either
        callback()
        Event().wait(60.0)
    assert finished, "the callback was not cut"


def test_the_callbacks_are_those_of_llvmlite() -> None:
    engine = pytest.importorskip("llvmlite.binding.executionengine").ExecutionEngine
    assert hasattr(engine, "_raw_object_cache_notify")
    assert hasattr(engine, "_raw_object_cache_getbuffer")


def test_interrupt_in_a_callback_of_the_engine_is_raised_after_it(interrupt: Callable[[], None]) -> None:
    finished: list[bool] = []

    def fall(*_: object) -> None:
        interrupt()
        finished.append(True)

    space, body = pymunk.Space(), pymunk.Body(1.0, 1.0)
    body.velocity_func = fall
    space.add(body)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012, it may be raised at either
        space.step(0.01)
        Event().wait(60.0)
    assert finished, "the callback was not cut"


@pytest.mark.parametrize(
    ("kind", "name"), [(pymunk.Body, "freebody"), (pymunk.Shape, "shapefree"), (pymunk.Space, "spacefree")]
)
def test_interrupt_while_the_engine_frees_memory_is_raised_after_it(
    interrupt: Callable[[], None], kind: type, name: str
) -> None:
    named = [
        code.co_name
        for method in vars(kind).values()
        for code in getattr(getattr(method, "__code__", None), "co_consts", ())
        if isinstance(code, CodeType)
    ]
    assert name in named

    def free() -> None:
        interrupt()

    free.__code__ = free.__code__.replace(co_name=name)
    free()
    with pytest.raises(KeyboardInterrupt):
        Event().wait(60.0)
