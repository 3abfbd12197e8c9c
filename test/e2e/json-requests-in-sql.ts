/** An entry of `select` that calls a function. */
export const call = (name: string, alias: string, ...args: unknown[]) => ({ function: name, alias, args })

/** Requests without `from`, and the same in SQL for native DuckDB, where the column "temp" is "temp_1". */
export const SAME: readonly (readonly [request: Readonly<Record<string, unknown>>, sql: string])[] = [
  [
    { select: ['id', 'depth (m)'], sort_by: [{ Desc: 'depth (m)' }] },
    'SELECT id, "depth (m)" FROM t ORDER BY "depth (m)" DESC NULLS LAST, id',
  ],
  [
    { select: ['id', 'Temp'], sort_by: [{ Asc: 'Temp' }, { Desc: 'row' }] },
    'SELECT id, Temp FROM t ORDER BY Temp NULLS LAST, row DESC',
  ],
  [
    { select: ['id'], sort_by: [{ Desc: 'Temp' }], offset: 10, limit: 500 },
    'SELECT id FROM t ORDER BY Temp DESC NULLS LAST, id LIMIT 500 OFFSET 10',
  ],
  [
    { select: ['temp', 'id'], sort_by: [{ Asc: 'temp' }], filter: { column: 'id', lt: 100 } },
    'SELECT temp_1, id FROM t WHERE id < 100 ORDER BY temp_1, id',
  ],
  [
    { select: [{ column: 'temp', alias: 'Temp' }, 'id'], sort_by: [{ Desc: 'Temp' }], limit: 40 },
    'SELECT temp_1, id FROM t ORDER BY temp_1 DESC, id LIMIT 40',
  ],
  [
    { select: ['name', 'id'], sort_by: [{ Asc: 'name' }, { Asc: 'query(1) "x"' }] },
    `SELECT name, id FROM t ORDER BY name NULLS LAST, "query(1) ""x""", id`,
  ],
  [{ select: ['id'], sort_by: [{ Asc: '"id"' }], limit: 3 }, 'SELECT id FROM t ORDER BY id LIMIT 3'],
  [{ select: ['id'], sort_by: [{ Desc: 'ROW' }], limit: 3 }, 'SELECT id FROM t ORDER BY row DESC LIMIT 3'],
  [
    { select: [{ value: 1, alias: 'one' }], sort_by: [{ Desc: 'one' }, { Desc: 'one' }], limit: 2 },
    'SELECT 1 FROM range(2)',
  ],
  [
    { distinct: { on: [call('length', 'n', 'name'), 'temp', 'temp'], select: ['temp', 'name'] } },
    'SELECT temp_1, name FROM (SELECT DISTINCT ON (length(name), temp_1) * FROM t ORDER BY id) ORDER BY id',
  ],
  [
    { distinct: { on: ['name'], select: ['name'] }, sort_by: [{ Asc: 'name' }] },
    'SELECT DISTINCT name FROM t ORDER BY name NULLS LAST',
  ],
  [
    { distinct: { on: ['name', 'temp'], select: ['id', 'name'] } },
    'SELECT min(id), name FROM t GROUP BY name, temp_1 ORDER BY min(id)',
  ],
  [
    { distinct: { on: ['temp'], select: ['temp', 'id', 'Temp'] }, sort_by: [{ Desc: 'Temp' }] },
    'SELECT DISTINCT ON (temp_1) temp_1, id, Temp FROM t ORDER BY Temp DESC NULLS LAST, id',
  ],
  [
    {
      select: ['name', 'id', call('upper', 'up', 'name')],
      distinct: { on: [call('length', 'n', 'up')], select: ['up', { column: 'id', alias: 'first' }] },
      filter: { column: 'id', gt: 50 },
      limit: 3,
    },
    'SELECT DISTINCT ON (length(name)) upper(name), id FROM t WHERE id > 50 ORDER BY id LIMIT 3',
  ],
  [
    {
      select: [
        'id',
        call('abs', 'a', 'depth (m)'),
        call('concat', 'c', 'name', { value: "'--;" }, call('lower', '', 'query(1) "x"')),
        call('round', 'r', 'Temp', { value: 1 }),
        call('coalesce', 'f', 'Temp', { value: -1 }),
        call('date_part', 'y', { value: 'dayofyear' }, 'time'),
        call('pi', 'pi'),
      ],
    },
    `SELECT id, abs("depth (m)"), concat(name, '''--;', lower("query(1) ""x""")), round(Temp, 1), coalesce(Temp, -1),
      date_part('dayofyear', time), pi() FROM t ORDER BY id`,
  ],
  [
    {
      select: ['id', call('mod', 'm', 'id', { value: 7 }), call('sqrt', 's', 'id')],
      filters: [
        { column: 'm', eq: 3 },
        {
          or: [
            { column: 's', lt: 5.5 },
            { column: 'id', gt_eq: 2900 },
          ],
        },
      ],
      sort_by: [{ Desc: 's' }],
      limit: 20,
    },
    'SELECT id, id % 7, sqrt(id) FROM t WHERE id % 7 = 3 AND (sqrt(id) < 5.5 OR id >= 2900) ORDER BY id DESC LIMIT 20',
  ],
  [
    {
      select: ['id', call('date_trunc', 'month', { value: 'month' }, 'time')],
      distinct: { on: ['month'], select: ['id'] },
    },
    "SELECT min(id) FROM t GROUP BY date_trunc('month', time) ORDER BY 1",
  ],
]
