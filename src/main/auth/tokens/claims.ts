/**
 * The value of a claim: names joined by dots lead through nested objects, such as `realm_access.roles`. If they lead nowhere, a claim of
 * the whole name, since some issuers name claims by addresses: `https://example.org/roles`. Undefined: there is neither.
 */
export function claimAt(claims: unknown, path: string): unknown {
  let value = claims
  for (const name of path.split('.')) value = memberOf(value, name)
  return value ?? memberOf(claims, path)
}

/** Roles as a list of texts, or as words in one text. What is neither names no role. */
export function rolesIn(value: unknown): readonly string[] {
  const names: readonly unknown[] =
    typeof value === 'string' ? value.split(/\s+/) : Array.isArray(value) ? value : []
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))].toSorted() as string[]
}

/** The name of a user. Null: the value is none, such as a text that is empty or that UTF-8 cannot tell from another one. */
export function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.isWellFormed() ? value : null
}

/** No prototype has claims. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
