/**
 * The text of a query that is equivalent to `body` and differs for each number, by a comment in SQL or blanks after JSON. Kept
 * answers are found by the text of the query, so each text has to be computed.
 */
export function varied(body: object, number: number): string {
  if ('sql' in body && typeof body.sql === 'string')
    return JSON.stringify({ ...body, sql: body.sql.replace(/^SELECT\b/, `SELECT /* ${number} */`) })
  return JSON.stringify(body) + number.toString(2).replaceAll('0', ' ').replaceAll('1', '\n')
}
