import { ServiceError } from '../../../plan/errors.ts'
import type { Duck } from '../instance.ts'
import { type AggregatePointers, aggregatePointers } from './aggregate-code.ts'
import { AGGREGATE, CODE, type FunctionKind, LAYOUTS, OVERLOAD, SET, TYPE } from './function-layout.ts'
import { unfit } from './misfit.ts'
import { type Overload, readOverloads, type TypeName, writeType } from './overload.ts'

/** An overload that has the implementation of another one, with other types. Both types must have the same form in memory. */
export interface OverloadCopy {
  readonly of: Overload
  /** The types of all parameters, fewer or more than before. Where a type changes, the old and the new one must be simple. Undefined: as they are. */
  readonly parameters?: readonly TypeName[]
  /** The same for the type of the result. */
  readonly returns?: TypeName
  /**
   * A pointer to the function that binds a call, as `addFunction` returns. 0: nothing has to be bound. Undefined: as it is. Its
   * parameters are the addresses of the context, of the overload that is bound (a copy, which it may change), and of the vector
   * of arguments. It returns the address of what it has bound, or 0.
   */
  readonly bind?: number
  /** A scalar function that it does the same as. Undefined: as what it is a copy of. */
  readonly like?: Overload
  /** A pointer to the code of a scalar function, as `addScalarCode` returns. Undefined: as it is. */
  readonly code?: number
  /** Of an aggregate: pointers to its functions, as `addAggregateCode` returns. Those that are missing are as they are. */
  readonly aggregate?: AggregatePointers
  /** Of an aggregate: whether DuckDB must not replace it by a faster one where the range of its argument is known. */
  readonly isKept?: true
}

/** Copies overloads one after the other, into memory that the caller has to give to DuckDB. */
export function copyOverloads(duck: Duck, kind: FunctionKind, copies: readonly OverloadCopy[]): number {
  const { api, memory } = duck
  const { bytes, bind } = LAYOUTS[kind]
  const begin = memory.allocate(copies.length * bytes)
  memory.views().u8.fill(0, begin, begin + copies.length * bytes)
  for (const [index, copy] of copies.entries()) {
    const { of, parameters, returns } = copy
    const address = begin + index * bytes
    if (of.kind !== kind) throw new ServiceError('internal', 'a function has overloads of one kind')
    if (kind === 'scalar') api.scalar_set_copy(address, of.set, BigInt(of.index))
    else api.aggregate_copy(address, of.address)
    if (parameters !== undefined) writeParameters(duck, address, of, parameters)
    const returnsOther = returns !== undefined && returns !== of.returns
    if (returnsOther && !writeType(duck, address + OVERLOAD.returns, returns)) unfit('a result')
    if (copy.like !== undefined) copyCode(duck, copy.like, address)
    const point = (offset: number, pointer: number) => {
      memory.views().u32[(address + offset) / 4] = pointer
    }
    if (copy.code !== undefined) {
      if ((copy.like ?? of).code === 0) throw new ServiceError('internal', 'there is no code to replace')
      point(CODE.pointer, copy.code)
    }
    if (copy.bind !== undefined) point(bind, copy.bind)
    for (const [part, pointer] of aggregatePointers(copy.aggregate)) point(AGGREGATE[part], pointer)
    if (copy.isKept) point(AGGREGATE.statistics, 0)
  }
  return begin
}

/** Gives the copy of an overload at an address other parameters. */
function writeParameters(duck: Duck, address: number, of: Overload, types: readonly TypeName[]): void {
  const { memory } = duck
  const at = (address + OVERLOAD.parameters) / 4
  const former = memory.views().u32[at] ?? 0
  const bytes = types.length * TYPE.bytes
  const begin = memory.allocate(bytes)
  const { u8, u32 } = memory.views()
  u8.fill(0, begin, begin + bytes)
  u8.copyWithin(begin, former, former + Math.min(bytes, of.parameters.length * TYPE.bytes))
  u32.set([begin, begin + bytes, begin + bytes], at)
  memory.free(former)
  for (const [place, type] of types.entries()) {
    // A type that stays may be one that is not simple.
    if (type === of.parameters[place]) continue
    if (!writeType(duck, begin + place * TYPE.bytes, type)) unfit('a parameter')
  }
}

/** Replaces what a scalar function does, whose code is empty, by what another one does. */
function copyCode({ memory }: Duck, from: Overload, to: number): void {
  if (from.kind !== 'scalar' || from.code === 0)
    throw new ServiceError('internal', 'there is no code to copy')
  const { u8, u32 } = memory.views()
  const self = (to + CODE.self) / 4
  if (u32[self] !== 0) throw new ServiceError('internal', 'code is copied over other code')
  u8.copyWithin(to + CODE.begin, from.address + CODE.begin, from.address + CODE.end)
  u32[self] = to + CODE.class
}

/**
 * Gives a set so many overloads that lie one after the other at an address. One with the same parameters as another replaces
 * it. DuckDB does this for scalar functions only.
 */
export function appendOverloads(duck: Duck, { kind, set }: Overload, from: number, count: number): void {
  const { memory } = duck
  const { bytes } = LAYOUTS[kind]
  const overloads = readOverloads(duck, kind, set) ?? unfit('a set of overloads')
  using scratch = memory.scratch()
  const added = scratch.bytes(SET.bytes)
  memory.views().u32.set([from, from + count * bytes], (added + SET.begin) / 4)
  const others = readOverloads(duck, kind, added) ?? unfit('copies of overloads')

  const isReplaced = ({ parameters }: Overload) =>
    others.some((other) => other.parameters.join() === parameters.join())
  const remainingOverloads = overloads.filter((overload) => !isReplaced(overload))
  // An overload has no pointers into itself, so that its bytes can be moved.
  const all = [...remainingOverloads, ...others]
  const begin = memory.allocate(all.length * bytes)
  const { u8, u32 } = memory.views()
  for (const [place, { address }] of all.entries())
    u8.copyWithin(begin + place * bytes, address, address + bytes)
  const former = u32[(set + SET.begin) / 4] ?? 0
  const end = begin + all.length * bytes
  u32.set([begin, end, end], (set + SET.begin) / 4)
  memory.free(former)
  memory.free(from)
}
