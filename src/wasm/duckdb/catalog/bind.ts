import type { Duck } from '../instance.ts'
import { CODE, EXPRESSION, OVERLOAD, TYPE } from './function-layout.ts'
import { unfit } from './misfit.ts'
import { type Overload, type TypeName, typeName, writeType } from './overload.ts'

/**
 * Makes a pointer that binds calls of an overload by what binds those of another one, which checks constant arguments and throws. It sees the
 * parameters of that one. What it changes is not kept: the types of the overload stay, and so does its code. `casts` are the types
 * to which DuckDB then casts the arguments; undefined: those of the overload.
 */
export function bindLike(duck: Duck, like: Overload, casts: readonly TypeName[] | undefined): number {
  const { memory } = duck
  return duck.addFunction(3, (context = 0, bound = 0, parameters = 0) => {
    const { u8, u32 } = memory.views()
    const first = u32[(bound + OVERLOAD.parameters) / 4] ?? 0
    const types = u8.slice(first, first + like.parameters.length * TYPE.bytes)
    const changed = u8.slice(bound + OVERLOAD.returns, bound + CODE.end)
    writeTypes(duck, first, like.parameters)
    // Whatever it puts in its place, a result with a name keeps that.
    writeTypes(duck, bound + OVERLOAD.returns, [like.returns])
    if (like.bind !== 0) duck.callPointer(like.bind, context, bound, parameters)
    const after = memory.views().u8
    after.set(types, first)
    after.set(changed, bound + OVERLOAD.returns)
    if (casts !== undefined) writeTypes(duck, first, casts)
    return 0
  })
}

/**
 * Makes a pointer that binds calls of an overload as those of another one, which may choose code and a result for constant arguments. It sees
 * arguments of the types of that one, and may drop the first ones.
 */
export function bindAs(duck: Duck, of: Overload, like: Overload): number {
  const { memory } = duck
  const places = like.parameters.flatMap((type, place) => (type === of.parameters[place] ? [] : [place]))
  return duck.addFunction(3, (context = 0, bound = 0, parameters = 0) => {
    const { u8, u32 } = memory.views()
    const begin = u32[parameters / 4] ?? 0
    const changed = places.flatMap((place) => {
      const address = (u32[begin / 4 + place] ?? 0) + EXPRESSION.type
      const bytes = u8.slice(address, address + TYPE.info)
      // An argument of another type is cast later.
      const isExpected = typeName(duck, address) === of.parameters[place]
      return isExpected && writeType(duck, address, like.parameters[place] ?? 'other')
        ? [{ address, bytes }]
        : []
    })
    const data = duck.callPointer(like.bind, context, bound, parameters)
    for (const { address, bytes } of changed) memory.views().u8.set(bytes, address)
    return data
  })
}

function writeTypes(duck: Duck, first: number, types: readonly TypeName[]): void {
  for (const [place, type] of types.entries())
    if (!writeType(duck, first + place * TYPE.bytes, type)) unfit('a parameter')
}
