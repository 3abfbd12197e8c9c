import type { AnswerDescription, Operation, RequestExample } from './operations/operation.ts'

/** The parts of an OpenAPI document that are completed. */
export interface OpenApiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, PathOperation>>>>
  readonly [member: string]: unknown
}

interface PathOperation {
  readonly operationId?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, object>>; readonly required: boolean }
  readonly [member: string]: unknown
}

interface Parameter {
  readonly name: string
  readonly [member: string]: unknown
}

/**
 * The document with the answers of each operation, and with examples of requests and answers. Examples over the sample are left
 * out where the service has none: "Try it out" sends the first example.
 */
export function completedDocument(
  document: OpenApiDocument,
  operations: Readonly<Record<string, Operation>>,
  hasSample: boolean,
): OpenApiDocument {
  const complete = (method: PathOperation): PathOperation => {
    const operation = operations[method.operationId ?? '']
    return operation === undefined ? method : withExamples(method, operation, hasSample)
  }
  const paths = mapValues(document.paths ?? {}, (methods) => mapValues(methods, complete))
  return { ...document, paths }
}

function withExamples(method: PathOperation, operation: Operation, hasSample: boolean): PathOperation {
  const requests = Object.entries(operation.requests).filter(([, { isOfSample }]) => hasSample || !isOfSample)
  const names = new Set(requests.map(([name]) => name))
  const { parameters, requestBody } = method
  return {
    ...method,
    ...(parameters && { parameters: parameters.map((parameter) => withValues(parameter, requests)) }),
    ...(requestBody && { requestBody: withBodies(requestBody, requests) }),
    responses: mapValues(operation.answers, (described) => response(described, names)),
  }
}

function withValues(
  parameter: Parameter,
  requests: readonly (readonly [string, RequestExample])[],
): Parameter {
  const examples = requests.flatMap(([name, { summary, parameters }]) => {
    const value = parameters?.[parameter.name]
    return value === undefined ? [] : [[name, { summary, value }] as const]
  })
  return examples.length === 0 ? parameter : { ...parameter, examples: Object.fromEntries(examples) }
}

function withBodies(
  requestBody: NonNullable<PathOperation['requestBody']>,
  requests: readonly (readonly [string, RequestExample])[],
): NonNullable<PathOperation['requestBody']> {
  const examples = requests.map(([name, { summary, body }]) => [name, { summary, value: body }] as const)
  return {
    ...requestBody,
    content: mapValues(requestBody.content, (media) => ({
      ...media,
      examples: Object.fromEntries(examples),
    })),
  }
}

function response({ content, ...rest }: AnswerDescription, names: ReadonlySet<string>): object {
  if (content === undefined) return rest
  return {
    ...rest,
    content: mapValues(content, ({ schema, examples = {} }) => {
      const shown = Object.entries(examples).filter(([name]) => names.has(name))
      const values = shown.map(([name, value]) => [name, { value }])
      return { schema, ...(values.length > 0 && { examples: Object.fromEntries(values) }) }
    }),
  }
}

function mapValues<V, W>(
  object: Readonly<Record<string, V>>,
  of: (value: V, key: string) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, of(value, key)]))
}
