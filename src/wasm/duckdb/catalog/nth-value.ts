import { ServiceError } from '../../../plan/errors.ts'
import type { Duck } from '../instance.ts'
import { throwInvalidInput } from '../linking/exception.ts'
import { TYPE_ID } from '../logical-type.ts'
import { type AggregateCode, addAggregateCode, IS_CONSTANT } from './aggregate-code.ts'
import type { OverloadCopy } from './copy-overloads.ts'
import { AGGREGATE, OVERLOAD } from './function-layout.ts'
import type { Overload } from './overload.ts'

/**
 * The state of `list`, behind which this one has the number of the wanted value, of 64 bits, and whether it is known. Both states are bytes
 * that DuckDB moves and never destroys.
 */
const LIST_BYTES = 16
const STATE = Object.freeze({ place: 16, isKnown: 24, bytes: 32 })

/** Bytes of an entry of a list vector: where its items begin, and how many there are. */
const ENTRY_BYTES = 16

/**
 * An overload that makes one value of a list of all: `nth_value(value, n)`. It takes rows as the aggregate `list` does, and remembers n. With
 * a negative n it counts from the end. `throwOther` is called if n is not the same in all rows of a group.
 */
export function nthValue(duck: Duck, list: Overload, throwOther: () => never): OverloadCopy {
  const { api, memory } = duck
  const pointer = (offset: number): number => memory.views().u32[(list.address + offset) / 4] ?? 0
  const native = {
    stateSize: pointer(AGGREGATE.stateSize),
    initialize: pointer(AGGREGATE.initialize),
    update: pointer(AGGREGATE.update),
    combine: pointer(AGGREGATE.combine),
    finalize: pointer(AGGREGATE.finalize),
  }
  if (duck.callPointer(native.stateSize, list.address) !== LIST_BYTES)
    throw new ServiceError('internal', 'a list has another state than in duckdb-wasm 1.32.0')
  const vectorBytes = bytesOfVector(duck)
  const step = (vector: number): number => (memory.views().u8[vector] === IS_CONSTANT ? 0 : 1)

  /** Notes the wanted place of a state, given as two words. */
  const note = (u32: Uint32Array, state: number, low: number, high: number): void => {
    const at = (state + STATE.place) / 4
    if (u32[(state + STATE.isKnown) / 4] === 0) {
      u32[at] = low
      u32[at + 1] = high
      u32[(state + STATE.isKnown) / 4] = 1
    } else if (u32[at] !== low || u32[at + 1] !== high) throwOther()
  }

  const code: AggregateCode = {
    stateSize: () => BigInt(STATE.bytes),
    initialize(overload, state) {
      duck.callPointer(native.initialize, overload, state)
      memory.views().u8.fill(0, state + LIST_BYTES, state + STATE.bytes)
    },
    update(inputs, input, _, states, rows) {
      duck.callPointer(native.update, inputs, input, 1n, states, rows)
      const places = inputs + vectorBytes
      const placeStep = step(places)
      if (placeStep === 1) api.vector_flatten(places, rows)
      const stateStep = step(states)
      const pointers = api.duckdb_vector_get_data(states) / 4
      const values = api.duckdb_vector_get_data(places) / 4
      const validity = api.duckdb_vector_get_validity(places)
      const { u8, u32 } = memory.views()
      const count = Number(rows)
      for (let row = 0; row < count; row++) {
        const from = row * placeStep
        // The place 0 has no value.
        const isNull = validity !== 0 && (((u8[validity + (from >> 3)] ?? 0) >> (from & 7)) & 1) === 0
        const [low, high] = isNull ? [0, 0] : [u32[values + 2 * from] ?? 0, u32[values + 2 * from + 1] ?? 0]
        note(u32, u32[pointers + row * stateStep] ?? 0, low, high)
      }
    },
    combine(from, into, input, count) {
      duck.callPointer(native.combine, from, into, input, count)
      const [fromStep, intoStep] = [step(from), step(into)]
      const [sources, targets] = [api.duckdb_vector_get_data(from) / 4, api.duckdb_vector_get_data(into) / 4]
      const { u32 } = memory.views()
      for (let index = 0; index < Number(count); index++) {
        const source = (u32[sources + index * fromStep] ?? 0) / 4
        if (u32[source + STATE.isKnown / 4] === 0) continue
        const at = source + STATE.place / 4
        note(u32, u32[targets + index * intoStep] ?? 0, u32[at] ?? 0, u32[at + 1] ?? 0)
      }
    },
    finalize(states, input, result, count, offset) {
      const stateStep = step(states)
      const pointers = api.duckdb_vector_get_data(states) / 4
      const item = api.duckdb_vector_get_column_type(result)
      const type = api.duckdb_create_list_type(item)
      const lists = api.duckdb_create_vector(type, count)
      try {
        if (lists === 0) throwInvalidInput(duck, 'the memory for the lists of nth_value is used up')
        duck.callPointer(native.finalize, states, input, lists, count, 0n)
        const items = api.duckdb_list_vector_get_child(lists)
        const entries = api.duckdb_vector_get_data(lists)
        for (let index = 0; index < Number(count); index++) {
          const { u32 } = memory.views()
          const state = u32[pointers + index * stateStep] ?? 0
          const entry = (entries + index * ENTRY_BYTES) / 4
          const row = offset + BigInt(index)
          const place = isKnown(u32, state) ? itemAt(u32, entry, state) : null
          if (place === null) setNull(duck, result, Number(row))
          else api.vector_copy(items, result, BigInt(place + 1), BigInt(place), row)
        }
      } finally {
        duck.destroy('duckdb_destroy_vector', lists)
        for (const handle of [type, item]) duck.destroy('duckdb_destroy_logical_type', handle)
      }
    },
  }
  const bind = duck.addFunction(3, (context = 0, overload = 0, args = 0) => {
    const bound = duck.callPointer(list.bind, context, overload, args)
    const first = memory.views().u32[(overload + OVERLOAD.parameters) / 4] ?? 0
    api.type_assign(overload + OVERLOAD.returns, first)
    return bound
  })
  return {
    of: list,
    parameters: [list.parameters[0] ?? 'other', 'bigint'],
    bind,
    aggregate: addAggregateCode(duck, code),
  }
}

function isKnown(u32: Uint32Array, state: number): boolean {
  return u32[(state + STATE.isKnown) / 4] !== 0
}

/** The index of the wanted item among those of all lists. Null: the list is shorter. */
function itemAt(u32: Uint32Array, entry: number, state: number): number | null {
  const at = (state + STATE.place) / 4
  const place = ((u32[at + 1] ?? 0) | 0) * 2 ** 32 + (u32[at] ?? 0)
  const [begin = 0, , length = 0] = u32.subarray(entry, entry + 4)
  const index = place > 0 ? place - 1 : length + place
  return place === 0 || index < 0 || index >= length ? null : begin + index
}

function setNull({ api, memory }: Duck, vector: number, row: number): void {
  api.duckdb_vector_ensure_validity_writable(vector)
  const at = api.duckdb_vector_get_validity(vector) + (row >> 3)
  const { u8 } = memory.views()
  u8[at] = (u8[at] ?? 0) & ~(1 << (row & 7))
}

/** The bytes of a `Vector`. Those of a chunk lie one behind the other. */
function bytesOfVector(duck: Duck): number {
  const { api } = duck
  using scratch = duck.memory.scratch()
  const type = api.duckdb_create_logical_type(TYPE_ID.bigint)
  const chunk = api.duckdb_create_data_chunk(scratch.addresses([type, type]), 2n)
  const bytes = api.duckdb_data_chunk_get_vector(chunk, 1n) - api.duckdb_data_chunk_get_vector(chunk, 0n)
  duck.destroy('duckdb_destroy_data_chunk', chunk)
  duck.destroy('duckdb_destroy_logical_type', type)
  return bytes
}
