import type { Duck } from '../instance.ts'
import { OVERLOAD, TYPE } from './function-layout.ts'
import { type SimpleTypeName, writeType } from './overload.ts'

/**
 * A pointer to a function that binds the calls of an overload (`OverloadCopy.bind`): DuckDB then casts the arguments to these types,
 * whatever the parameters of the overload are.
 */
export function castArguments(duck: Duck, types: readonly SimpleTypeName[]): number {
  return duck.addFunction(3, (_context = 0, overload = 0) => {
    const first = duck.memory.views().u32[(overload + OVERLOAD.parameters) / 4] ?? 0
    for (const [place, type] of types.entries()) writeType(duck, first + place * TYPE.bytes, type)
    return 0
  })
}
