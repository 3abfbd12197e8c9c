import type { Duck } from '../instance.ts'
import { OVERLOAD, TYPE } from './function-layout.ts'
import { unfit } from './misfit.ts'
import { writeType } from './overload.ts'

/** Bytes to allocate for a `Value` and for a `BoundConstantExpression`. They have 48 and 136. */
const VALUE_BYTES = 128
const CONSTANT_BYTES = 512

/**
 * Gives a call one more argument, a constant FLOAT, while it is bound. `overload` and `args` are the addresses that what binds it is called
 * with (`OverloadCopy.bind`). The constant then belongs to DuckDB.
 */
export function appendFloat(duck: Duck, overload: number, args: number, number: number): void {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const value = scratch.bytes(VALUE_BYTES)
  const constant = memory.allocate(CONSTANT_BYTES)
  memory.views().u8.fill(0, constant, constant + CONSTANT_BYTES)
  api.value_float(value, number)
  api.constant_create(constant, value)
  memory.views().u32[appendItem(duck, args, 4) / 4] = constant
  const type = appendItem(duck, overload + OVERLOAD.parameters, TYPE.bytes)
  if (!writeType(duck, type, 'float')) unfit('a parameter')
}

/** Makes room for one more item of a C++ vector, all zero, and returns its address. */
function appendItem({ memory }: Duck, vector: number, bytes: number): number {
  const { u32 } = memory.views()
  const [former = 0, end = 0] = [u32[vector / 4], u32[vector / 4 + 1]]
  const begin = memory.allocate(end - former + bytes)
  const item = begin + end - former
  const views = memory.views()
  views.u8.copyWithin(begin, former, end)
  views.u8.fill(0, item, item + bytes)
  views.u32.set([begin, item + bytes, item + bytes], vector / 4)
  memory.free(former)
  return item
}
