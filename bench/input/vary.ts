/**
 * The text of a body that asks the same as `body` and differs from it for each number, so that a kept answer, which is
 * found by the text of the question, is none to it: a comment in a statement, blanks after JSON.
 */
export function varied(body: object, number: number): string {
  if ('sql' in body && typeof body.sql === 'string')
    return JSON.stringify({ ...body, sql: body.sql.replace(/^SELECT\b/, `SELECT /* ${number} */`) })
  return JSON.stringify(body) + number.toString(2).replaceAll('0', ' ').replaceAll('1', '\n')
}
