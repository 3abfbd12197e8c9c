/**
 * The JSON Schema of a body, with each `default` as a sentence of its description. Of a member that has `default`, openapi-typescript
 * makes one that every request has to have.
 */
export function defaultsInWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(defaultsInWords)
  if (!isObject(schema)) return schema
  const { default: value, ...rest } = schema
  const inner = mapMembers(rest, (each, keyword) =>
    // The members of `properties` are names, and may be called `default`.
    keyword === 'properties' && isObject(each)
      ? mapMembers(each, (property) => defaultsInWords(property))
      : defaultsInWords(each),
  )
  if (value === undefined) return inner
  const { description } = rest
  const sentence = `Default: \`${JSON.stringify(value)}\``
  return { ...inner, description: description === undefined ? sentence : `${description}. ${sentence}` }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function mapMembers(
  object: Readonly<Record<string, unknown>>,
  of: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, of(value, key)]))
}
