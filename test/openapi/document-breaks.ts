import { type Maker, type Schema, type SchemaOf, schemaBreaks } from './schema-breaks.ts'

/** The parts of an OpenAPI document that clients depend on. */
export interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Answer>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Answer {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Content
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** How a document breaks clients that were written for an earlier one, or generated from it: a sentence each. */
export function documentBreaks(before: Document, after: Document): string[] {
  const schemas = Object.keys(before.components.schemas)
    .filter((name) => !(name in after.components.schemas))
    .map((name) => `the schema ${name} is gone, whose name generated types have`)
  const operations = Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, earlier]) => {
      const at = `${method.toUpperCase()} ${path}`
      const later = after.paths[path]?.[method]
      return later === undefined ? [`${at} is gone`] : operationBreaks(at, earlier, later)
    }),
  )
  return [...schemas, ...operations]

  function operationBreaks(at: string, a: Operation, b: Operation): string[] {
    return [
      ...(a.operationId === b.operationId
        ? []
        : [`${at} has another id, after which generated functions are called`]),
      ...(a.tags[0] === b.tags[0] ? [] : [`${at} has another tag, after which generated modules are called`]),
      ...accessBreaks(at, a, b),
      ...parameterBreaks(at, a, b),
      ...bodyBreaks(at, a, b),
      ...answerBreaks(at, a, b),
    ]
  }

  function parameterBreaks(
    at: string,
    { parameters: earlier = [] }: Operation,
    { parameters: later = [] }: Operation,
  ): string[] {
    const same = (a: Parameter) => (b: Parameter) => a.name === b.name && a.in === b.in
    const breaks = earlier.flatMap((a) => {
      const name = `${at} ?${a.name}`
      const b = later.find(same(a))
      if (b === undefined) return [`${name} is gone`]
      const required = b.required === true && a.required !== true ? [`${name} is required`] : []
      return [...required, ...compare(name, a.schema, b.schema, 'client')]
    })
    const added = later.filter((b) => b.required === true && !earlier.some(same(b)))
    return [...breaks, ...added.map(({ name }) => `${at} ?${name} is required`)]
  }

  function bodyBreaks(at: string, { requestBody: a }: Operation, { requestBody: b }: Operation): string[] {
    const name = `${at} body`
    if (b === undefined) return a === undefined ? [] : [`${name} is gone`]
    const required = b.required === true && a?.required !== true ? [`${name} is required`] : []
    return [...required, ...contentBreaks(name, a?.content ?? {}, b.content, 'client')]
  }

  function answerBreaks(at: string, a: Operation, b: Operation): string[] {
    return Object.entries(a.responses).flatMap(([status, earlier]) => {
      const name = `${at} ${status}`
      const later = b.responses[status]
      // An error that no longer happens breaks nobody.
      if (later === undefined) return status.startsWith('2') ? [`${name} is gone`] : []
      const headers = Object.keys(earlier.headers ?? {}).filter(
        (header) => !(header in (later.headers ?? {})),
      )
      return [
        ...headers.map((header) => `${name} has no header ${header}`),
        ...contentBreaks(name, earlier.content ?? {}, later.content ?? {}, 'service'),
      ]
    })
  }

  function contentBreaks(at: string, earlier: Content, later: Content, maker: Maker): string[] {
    return Object.entries(earlier).flatMap(([type, a]) => {
      const b = later[type]
      return b === undefined ? [`${at} is never ${type}`] : compare(at, a.schema, b.schema, maker)
    })
  }

  function compare(at: string, a: Schema, b: Schema, maker: Maker): string[] {
    return schemaBreaks(at, of(before, a), of(after, b), maker)
  }
}

function of({ components }: Document, schema: Schema): SchemaOf {
  return { schema, named: components.schemas }
}

/** Without `security` anybody may ask. Each of its members is a set of credentials that suffices. */
function accessBreaks(
  at: string,
  { security: earlier = [] }: Operation,
  { security: later = [] }: Operation,
): string[] {
  if (later.length === 0) return []
  const allowed = earlier.length === 0 ? [{}] : earlier
  return allowed.flatMap((credentials) =>
    later.some((set) => Object.keys(set).every((scheme) => scheme in credentials))
      ? []
      : [`${at} refuses whoever has ${Object.keys(credentials).join(' and ') || 'no credentials'}`],
  )
}

/** Whether a version may break clients of an earlier one: a candidate promises nothing, and a release lasts until the next major. */
export function mayBreak(earlier: string, version: string): boolean {
  if (earlier === version) return false
  return earlier.includes('-') || majorOf(version) > majorOf(earlier)
}

function majorOf(version: string): number {
  return Number(version.split('.', 1)[0])
}
