import { isDeepStrictEqual } from 'node:util'

/** A JSON Schema as the document has them. */
export type Schema = Readonly<Record<string, unknown>>

/** A schema, and the schemas of its document by their names, which `$ref` names. */
export interface SchemaOf {
  readonly schema: Schema
  readonly named: Readonly<Record<string, Schema>>
}

/** Who makes the values of a schema: the client (a request) or the service (an answer). */
export type Maker = 'client' | 'service'

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']

const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/** What restricts no value. */
const ANNOTATIONS = ['title', 'description', 'default', 'example', 'examples', 'deprecated', '$comment']

const COMPARED = new Set([
  ...['type', 'enum', 'properties', 'required', 'additionalProperties', 'items', 'oneOf', 'anyOf', '$ref'],
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  ...ANNOTATIONS,
])

/**
 * How a change of a schema breaks clients of the earlier one, a sentence each. What clients make has to be valid as before, and
 * what the service makes may be nothing that clients do not expect; a member that is gone breaks both. A keyword that is not
 * understood may not change.
 */
export function schemaBreaks(at: string, before: SchemaOf, after: SchemaOf, maker: Maker): string[] {
  const compared = new Set<string>()

  function compare(at: string, earlier: Schema, later: Schema): string[] {
    // Of two schemas with names that are compared already, the first comparison tells everything.
    if (earlier['$ref'] !== undefined && later['$ref'] !== undefined) {
      const pair = `${earlier['$ref']} ${later['$ref']}`
      if (compared.has(pair)) return []
      compared.add(pair)
    }
    const a = resolved(earlier, before)
    const b = resolved(later, after)
    const [wide, narrow] = maker === 'client' ? [a, b] : [b, a]
    const parts = alternativesOf(wide) ?? (alternativesOf(narrow) && typesApart(wide))
    if (parts !== null && parts.length > 0) return parts.flatMap((part) => fewest(at, part, narrow))
    return alternativesOf(narrow) === null ? compareOne(at, a, b) : fewest(at, wide, narrow)
  }

  /** What breaks a value of one kind, by the alternative that suits it best. */
  function fewest(at: string, part: Schema, narrow: Schema): string[] {
    const alternatives = alternativesOf(narrow) ?? [narrow]
    const tried = alternatives.map((alternative) => {
      const kept = new Set(compared)
      const breaks = maker === 'client' ? compare(at, part, alternative) : compare(at, alternative, part)
      // What a comparison that failed has assumed holds for no other.
      if (breaks.length > 0) for (const pair of compared) if (!kept.has(pair)) compared.delete(pair)
      return breaks
    })
    return tried.reduce((best, breaks) => (breaks.length < best.length ? breaks : best))
  }

  function compareOne(at: string, a: Schema, b: Schema): string[] {
    const [wide, narrow] = maker === 'client' ? [a, b] : [b, a]
    const excess = [...ofTypes(wide, narrow), ...ofValues(wide, narrow), ...ofBounds(wide, narrow)]
    for (const name of listOf(narrow['required']))
      if (!listOf(wide['required']).includes(name)) excess.push(`an object without \`${name}\``)
    for (const [keyword, value] of Object.entries(narrow))
      if (!COMPARED.has(keyword) && !isDeepStrictEqual(value, wide[keyword]))
        excess.push(`a value that is not of ${keyword} ${JSON.stringify(value)}`)
    const told = excess.map((value) =>
      maker === 'client' ? `${at} takes no longer ${value}` : `${at} may be ${value}`,
    )
    if (maker === 'client' && !isDeepStrictEqual(a['default'], b['default']))
      told.push(`${at} is by default ${JSON.stringify(b['default'])} and was ${JSON.stringify(a['default'])}`)
    return [...told, ...membersOf(at, a, b), ...elementsOf(at, a, b)]
  }

  function membersOf(at: string, a: Schema, b: Schema): string[] {
    const [earlier, later] = [propertiesOf(a), propertiesOf(b)]
    const breaks = Object.entries(earlier).flatMap(([name, schema]) => {
      const other = later[name]
      return other === undefined ? [`${at}.${name} is gone`] : compare(`${at}.${name}`, schema, other)
    })
    const [wide, narrow] = (maker === 'client' ? [a, b] : [b, a]).map(
      (schema) => schema['additionalProperties'] ?? true,
    )
    if (narrow === true || wide === false || isDeepStrictEqual(wide, narrow)) return breaks
    if (isSchema(wide) && isSchema(narrow))
      return [
        ...breaks,
        ...compare(
          `${at}.*`,
          ...((maker === 'client' ? [wide, narrow] : [narrow, wide]) as [Schema, Schema]),
        ),
      ]
    return [
      ...breaks,
      maker === 'client' ? `${at} takes no longer any other member` : `${at} may have any other member`,
    ]
  }

  function elementsOf(at: string, a: Schema, b: Schema): string[] {
    const [earlier, later] = [a['items'] ?? {}, b['items'] ?? {}]
    return isSchema(earlier) && isSchema(later) && !isDeepStrictEqual([earlier, later], [{}, {}])
      ? compare(`${at}[]`, earlier, later)
      : []
  }

  return compare(at, before.schema, after.schema)
}

function resolved(schema: Schema, { named }: SchemaOf): Schema {
  const { $ref, ...rest } = schema
  if (typeof $ref !== 'string') return schema
  const found = named[$ref.slice($ref.lastIndexOf('/') + 1)]
  if (found === undefined) throw new TypeError(`${$ref} leads nowhere`)
  return { ...resolved(found, { schema: found, named }), ...rest }
}

/** The alternatives of a schema, each with what the schema says beside them. */
function alternativesOf({ oneOf, anyOf, ...rest }: Schema): readonly Schema[] | null {
  const alternatives = oneOf ?? anyOf
  if (!Array.isArray(alternatives)) return null
  const { description: _, ...restrictions } = rest
  return alternatives.map((alternative: Schema) => ({ ...restrictions, ...alternative }))
}

/** A schema of several types as one for each. */
function typesApart(schema: Schema): readonly Schema[] | null {
  const { type } = schema
  return Array.isArray(type) ? type.map((each: string) => ({ ...schema, type: each })) : null
}

function typesOf({ type }: Schema): readonly string[] {
  if (type === undefined) return TYPES
  const types = listOf(Array.isArray(type) ? type : [type])
  return types.includes('number') ? [...types, 'integer'] : types
}

function ofTypes(wide: Schema, narrow: Schema): string[] {
  const types = typesOf(narrow)
  return typesOf(wide).flatMap((type) => (types.includes(type) ? [] : [`a value of type ${type}`]))
}

function ofValues({ enum: wide }: Schema, { enum: narrow }: Schema): string[] {
  if (!Array.isArray(narrow)) return []
  if (!Array.isArray(wide)) return [`a value that is none of ${narrow.join(', ')}`]
  return wide.flatMap((value) => (narrow.includes(value) ? [] : [JSON.stringify(value)]))
}

function ofBounds(wide: Schema, narrow: Schema): string[] {
  const lower = LOWER_BOUNDS.filter((name) => bound(narrow[name], -Infinity) > bound(wide[name], -Infinity))
  const upper = UPPER_BOUNDS.filter((name) => bound(narrow[name], Infinity) < bound(wide[name], Infinity))
  return [...lower, ...upper].map((name) => `a value beyond ${name} ${narrow[name]}`)
}

function bound(value: unknown, none: number): number {
  return typeof value === 'number' ? value : none
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : []
}

function propertiesOf({ properties }: Schema): Readonly<Record<string, Schema>> {
  return isSchema(properties) ? (properties as Readonly<Record<string, Schema>>) : {}
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}
