import type { Expected, TableShape } from './row.ts'

/** How the rows of the contract write what they expect. A shape of `shapes.ts` stands wherever a text or a value does. */

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function empty(status = 200): Expected {
  return { status, type: null, form: { kind: 'empty' }, headers: {} }
}

export function json(shape: unknown, status = 200): Expected {
  return { status, type: 'application/json', form: { kind: 'json', shape }, headers: {} }
}

/** An error of the query family: one JSON string. */
export function told(status: number, text: RegExp | string = /./): Expected {
  return json(text, status)
}

/** A message, or an error of other routes. */
export function text(status: number, shape: RegExp | string = /./): Expected {
  return { status, type: 'text/plain', form: { kind: 'text', shape }, headers: {} }
}

export function html(shape: RegExp, status = 200): Expected {
  return { status, type: 'text/html', form: { kind: 'text', shape }, headers: {} }
}

/** A stream of Arrow. */
export function stream(columns: readonly string[], more: Omit<TableShape, 'columns'> = {}): Expected {
  return {
    status: 200,
    type: 'application/vnd.apache.arrow.stream',
    form: { kind: 'arrow', table: { columns, ...more } },
    headers: { 'x-service-query-id': UUID },
  }
}

/** The answer of a statement that has no rows: a stream without columns. */
export const DONE: Expected = stream([], { rows: 0 })

export function csv(shape: RegExp | string): Expected {
  return {
    status: 200,
    type: 'text/csv',
    form: { kind: 'text', shape },
    headers: {
      'content-disposition': 'attachment; filename="output.csv"',
      'x-service-query-id': UUID,
    },
  }
}

/** A file whose bytes begin like this. */
export function file(type: string, name: string, head: string): Expected {
  return {
    status: 200,
    type,
    form: { kind: 'bytes', head },
    headers: { 'content-disposition': `attachment; filename="${name}"`, 'x-service-query-id': UUID },
  }
}

export function arrowFile(columns: readonly string[], more: Omit<TableShape, 'columns'> = {}): Expected {
  return {
    ...file('application/vnd.apache.arrow.file', 'output.arrow', ''),
    form: { kind: 'arrow', table: { columns, ...more } },
  }
}

/** With these headers besides. */
export function withHeaders(headers: Readonly<Record<string, unknown>>, expected: Expected): Expected {
  return { ...expected, headers: { ...expected.headers, ...headers } }
}
