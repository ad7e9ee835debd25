"""Reading arrays without asking whether the index is in range: the kernel's own loads.

Numba tests every index of unknown sign for one that counts from the end. Whoever reads here
has made sure that the place is in the array: a line has at least `answers.PADDING` bytes
behind it.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

_I64 = ir.IntType(64)


def _place(context, builder, signature, args):
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.gep(array.data, [args[1]])


@intrinsic
def byte(typing_context, array, at):
    """Return a byte of an array of bytes as a number of 64 bits."""

    def generate(context, builder, signature, args):
        return builder.zext(builder.load(_place(context, builder, signature, args)), _I64)

    return types.int64(array, types.int64), generate


@intrinsic
def word(typing_context, array, at):
    """Return the eight bytes at a place as one number, the first byte lowest."""

    def generate(context, builder, signature, args):
        place = _place(context, builder, signature, args)
        return builder.load(builder.bitcast(place, _I64.as_pointer()), align=1)

    return types.int64(array, types.int64), generate


@intrinsic
def cell(typing_context, array, at):
    """Return a number of an array of numbers of 64 bits."""

    def generate(context, builder, signature, args):
        return builder.load(_place(context, builder, signature, args))

    return types.int64(array, types.int64), generate


@intrinsic
def first(typing_context, mask):
    """Return which byte of a number, the lowest being 0, holds its lowest set bit."""

    def generate(context, builder, signature, args):
        bits = builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.lshr(bits, ir.Constant(_I64, 3))

    return types.int64(types.int64), generate


@intrinsic
def lowest(typing_context, mask):
    """Return the number of the lowest set bit; 64 where there is none."""

    def generate(context, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic
def read_only(typing_context, array):
    """Return an array as one that is not written to, so that it is of the type of the input."""

    def generate(context, builder, signature, args):
        return impl_ret_borrowed(context, builder, signature.return_type, args[0])

    return array.copy(readonly=True)(array), generate


def pattern(text: bytes) -> int:
    """Return up to eight bytes as `word` would, as a number with a sign."""
    return int.from_bytes(text.ljust(8, b"\0"), "little", signed=True)


def covering(text: bytes) -> int:
    """Return the mask of the bytes that are not zero in a pattern."""
    return pattern(bytes(255 if one else 0 for one in text))
