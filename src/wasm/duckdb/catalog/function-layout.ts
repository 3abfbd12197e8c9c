/*
 * The layout of DuckDB's objects in memory (docs/architecture/duckdb.md). Offsets and sizes are in bytes, and hold for
 * duckdb-wasm 1.32.0, whose version is pinned. `openFunctionCatalog` checks them.
 */

/** Of a catalog entry: its kind, and its set of overloads. */
export const ENTRY = Object.freeze({ kind: 16, set: 180 })

/** Of a set of overloads: its name, and the first, the last and the end of the memory of a vector of overloads. */
export const SET = Object.freeze({ name: 0, begin: 12, end: 16, capacity: 20, bytes: 24 })

/** Of an overload: the class, and C++ objects. Scalar functions and aggregates have them in common. */
export const OVERLOAD = Object.freeze({ vtable: 0, name: 4, parameters: 52, returns: 88 })

/**
 * Of a scalar function: what it does, from its null handling to the pointers behind its code. The code is a `std::function`, which
 * has a class and a function pointer in itself, and then its own address. Without that it is empty.
 */
export const CODE = Object.freeze({ begin: 100, class: 104, pointer: 108, self: 120, end: 164 })

/** Of a bound expression, which is an argument of a call: its type. */
export const EXPRESSION = Object.freeze({ type: 32 })

/** Of a `LogicalType`: two bytes for the type and for its form in memory, then a pointer that simple types do not have. */
export const TYPE = Object.freeze({ id: 0, info: 4, bytes: 12 })

/** Of a table function: its name, and the type of further arguments. */
export const TABLE_FUNCTION = Object.freeze({ name: 4, further: 76 })

/**
 * Of what a table function is given when a call of it is bound: the input; and of that the function, which is a copy for this call,
 * and the call as it is written.
 */
export const TABLE_BIND = Object.freeze({ input: 4, function: 24, call: 28 })

/** Of such a call: the vector of the names in its alias, as in `AS t(a, b)`. */
export const TABLE_CALL = Object.freeze({ aliases: 40 })

/** What scalar functions and aggregates differ in. `entryKind` is the `CatalogType`, `bind` the pointer to the function that binds a call. */
export interface FunctionLayout {
  readonly entryKind: number
  readonly bytes: number
  readonly bind: number
}

export const LAYOUTS = Object.freeze({
  scalar: { entryKind: 26, bytes: 176, bind: 128 },
  aggregate: { entryKind: 27, bytes: 168, bind: 136 },
} satisfies Record<string, FunctionLayout>)

/** Further pointers of an aggregate: its functions, and what replaces it where the range of its argument is known. */
export const AGGREGATE = Object.freeze({
  stateSize: 104,
  initialize: 108,
  update: 112,
  combine: 116,
  finalize: 120,
  statistics: 144,
})

export type FunctionKind = keyof typeof LAYOUTS
