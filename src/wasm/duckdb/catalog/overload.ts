import type { Duck } from '../instance.ts'
import { createType, TYPE_ID, withLogicalType } from '../logical-type.ts'
import { CODE, type FunctionKind, LAYOUTS, OVERLOAD, SET, TYPE } from './function-layout.ts'

/** The name of a type. `other` are those without a value in the C API, such as ones that a call decides. */
export type TypeName = keyof typeof TYPE_ID | 'timestamptz_ns' | 'other'

/** A type that needs nothing but its name. */
export type SimpleTypeName = Exclude<
  keyof typeof TYPE_ID,
  'decimal' | 'enum' | 'list' | 'struct' | 'map' | 'union' | 'array'
>

/** An overload in DuckDB's catalog. */
export interface Overload {
  readonly kind: FunctionKind
  /** Valid until the function gets more overloads. */
  readonly address: number
  /** The address of the set that it is in, and its place there. */
  readonly set: number
  readonly index: number
  readonly parameters: readonly TypeName[]
  readonly returns: TypeName
  /** The pointer of a scalar function's code. 0: it has none, or one for each call. Aggregates have several, and 0 here. */
  readonly code: number
  /** The pointer of the function that binds a call. 0: nothing has to be bound. */
  readonly bind: number
}

const NAMES: ReadonlyMap<number, TypeName> = new Map(
  Object.entries(TYPE_ID).map(([name, id]) => [id, name as keyof typeof TYPE_ID]),
)

/** The overloads of a set at an address. Null: there is no such set. */
export function readOverloads(duck: Duck, kind: FunctionKind, set: number): readonly Overload[] | null {
  const { memory } = duck
  const { bytes } = LAYOUTS[kind]
  const overloads = vectorAt(duck, set + SET.begin, bytes)
  if (overloads === null) return null
  const read = overloads.map((address, index) => {
    const parameters = vectorAt(duck, address + OVERLOAD.parameters, TYPE.bytes)
    if (parameters === null) return null
    return {
      kind,
      address,
      set,
      index,
      parameters: parameters.map((type) => typeName(duck, type)),
      returns: typeName(duck, address + OVERLOAD.returns),
      code: kind === 'scalar' ? codeOf(duck, address) : 0,
      bind: memory.views().u32[(address + LAYOUTS[kind].bind) / 4] ?? 0,
    }
  })
  return read.includes(null) ? null : read.filter((overload) => overload !== null)
}

/** The addresses of the items of a C++ vector. Null: there is none. */
function vectorAt({ memory }: Duck, address: number, itemBytes: number): readonly number[] | null {
  const { u8, u32 } = memory.views()
  const begin = u32[address / 4] ?? 0
  const end = u32[address / 4 + 1] ?? 0
  const isVector = begin <= end && end <= u8.length && (end - begin) % itemBytes === 0
  if (!isVector) return null
  return Array.from({ length: (end - begin) / itemBytes }, (_, index) => begin + index * itemBytes)
}

/** Code with anything but a pointer is elsewhere. */
function codeOf({ memory }: Duck, address: number): number {
  const { u32 } = memory.views()
  return u32[(address + CODE.self) / 4] === address + CODE.class
    ? (u32[(address + CODE.pointer) / 4] ?? 0)
    : 0
}

/** The name of the type at an address. */
export function typeName({ api, memory }: Duck, type: number): TypeName {
  const name = NAMES.get(api.duckdb_get_type_id(type)) ?? 'other'
  // Only the times with a zone in nanoseconds have more to it, their name.
  return name === 'timestamp_ns' && memory.views().u32[(type + TYPE.info) / 4] !== 0 ? 'timestamptz_ns' : name
}

/** Replaces a type in an overload by another one. Both must be simple, or times with a zone in nanoseconds. False: one of them is not. */
export function writeType(duck: Duck, address: number, name: TypeName): boolean {
  const { memory } = duck
  const isPlain = memory.views().u32[(address + TYPE.info) / 4] === 0
  if (!isPlain && typeName(duck, address) !== 'timestamptz_ns') return false
  // The name is shared and never freed, so it does not matter how many owners are counted.
  if (name === 'timestamptz_ns') {
    const type = createType(duck, { kind: name })
    memory.views().u8.copyWithin(address, type, type + TYPE.bytes)
    memory.free(type)
    return true
  }
  if (!isSimple(name)) return false
  return withLogicalType(duck, { kind: name }, (type) => {
    memory.views().u8.copyWithin(address, type, type + TYPE.bytes)
    return true
  })
}

const NOT_SIMPLE: ReadonlySet<TypeName> = new Set([
  ...(['decimal', 'enum', 'list', 'struct', 'map', 'union', 'array', 'timestamptz_ns', 'other'] as const),
])

/** Whether a type needs nothing but its name. */
export function isSimple(name: TypeName): name is SimpleTypeName {
  return !NOT_SIMPLE.has(name)
}
