import type { FunctionRow } from '../../../../plan/functions/function-row.ts'
import { FUNCTIONS, MAKING_ROWS } from '../../../../plan/functions/functions.ts'
import type { FunctionSignature } from '../../../../plan/task/task.ts'
import { unlessAborted } from '../../../../plan/unless-aborted.ts'
import { isInternalFunction } from '../../../sql/gate/forbidden.ts'

type FindFunctions = (signal: AbortSignal) => Promise<readonly FunctionSignature[]>

/**
 * Finds the functions that queries may call: those of the table of functions, and further ones of DuckDB, sorted by name. `find` asks
 * DuckDB for its own. It is called once, however many ask; if it rejects, the next one who asks calls it again.
 */
export function createFunctionList(find: FindFunctions): FindFunctions {
  let listing: Promise<readonly FunctionSignature[]> | null = null
  return (signal) => {
    // All who ask wait for it, so it does not end when one of them leaves.
    listing ??= find(new AbortController().signal).then(listOf, (error: unknown) => {
      listing = null
      throw error
    })
    return unlessAborted(listing, signal)
  }
}

/** Functions of DuckDB, and those of the table, with its words. Of a function of the table the first signature is the first there. */
function listOf(listed: readonly FunctionSignature[]): readonly FunctionSignature[] {
  const callable = listed.filter(({ name }) => FUNCTIONS.has(name) || !isHidden(name))
  const byName = Map.groupBy(callable, ({ name }) => name)
  const names = new Set([...byName.keys(), ...FUNCTIONS.keys()])
  return [...names].toSorted().flatMap((name) => {
    const signatures = byName.get(name) ?? []
    const row = FUNCTIONS.get(name)
    return row === undefined ? signatures.map(asScalar) : signaturesOf(row, signatures)
  })
}

function isHidden(name: string): boolean {
  return MAKING_ROWS.has(name) || isInternalFunction(name)
}

/** DuckDB lists macros as such. Those that are no scalar functions are in the table. */
function asScalar(signature: FunctionSignature): FunctionSignature {
  return signature.kind === 'macro' ? { ...signature, kind: 'scalar' } : signature
}

/** The signatures that DuckDB has of a function of the table are more exact: the table may have one that stands for several. */
function signaturesOf(row: FunctionRow, listed: readonly FunctionSignature[]): readonly FunctionSignature[] {
  const { kind, description, examples } = row
  const ownSignatures = row.overloads.map(({ parameters, returns }) => ({
    returns,
    parameters: parameters.map(({ name }) => name),
    parameterTypes: parameters.map(({ type }) => type),
  }))
  const [first] = ownSignatures
  const typed = row.form.kind === 'built in' ? listed.filter((each) => each.kind !== 'macro') : []
  const isFirst = (each: FunctionSignature): boolean =>
    each.returns === first?.returns && `${each.parameterTypes}` === `${first.parameterTypes}`
  const others = typed.filter((each) => !isFirst(each))
  const all = typed.length === 0 || first === undefined ? ownSignatures : [first, ...others]
  return all.map(({ returns, parameters, parameterTypes }) => ({
    name: row.name,
    kind,
    returns,
    parameters,
    parameterTypes,
    description,
    example: examples[0]?.call ?? '',
  }))
}
