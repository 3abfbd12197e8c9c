import { hash } from 'node:crypto'
import type { DirectorySnapshot, Rule } from '../directory/directory.ts'
import { ruleKey } from './rule-key.ts'

/** What a caller may read: made once from its roles, and frozen. */
export interface Rights {
  /** Whether everything may be read: of the super-user, and of everybody if rules have no effect. There are no rules then. */
  readonly isEverything: boolean
  /** The rules of all roles together, each once. A deny wins over every grant; what no rule grants may not be read. */
  readonly rules: readonly Rule[]
  /** A digest of all of this. Equal digests mean equal rights. */
  readonly digest: string
}

/** Rights by which everything may be read, so that nothing is left to decide. */
export type EveryRight = Rights & { readonly isEverything: true }

/** The rights to read everything. */
export const EVERYTHING: EveryRight = Object.freeze({
  isEverything: true,
  rules: Object.freeze([]),
  digest: '',
})

export function mayReadAll(rights: Rights): rights is EveryRight {
  return rights.isEverything
}

/** The rights of roles. Those that do not exist give none. `isEnforced`: otherwise rules have no effect. */
export function rightsOf(
  { roles }: DirectorySnapshot,
  names: readonly string[],
  isEnforced: boolean,
): Rights {
  if (!isEnforced) return EVERYTHING
  const rules = new Map<string, Rule>()
  for (const name of names) for (const rule of roles.get(name)?.rules ?? []) rules.set(ruleKey(rule), rule)
  const keys = [...rules.keys()].toSorted()
  return Object.freeze({
    isEverything: false,
    rules: Object.freeze(keys.flatMap((key) => rules.get(key) ?? [])),
    digest: hash('sha256', JSON.stringify(keys)),
  })
}
