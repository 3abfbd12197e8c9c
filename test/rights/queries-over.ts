/** Queries over a name, each of another shape. Some need the table `open` too. */
export function queriesOver(name: string): readonly object[] {
  return [
    { from: name, select: ['n'] },
    ...[
      `SELECT n FROM ${name}`,
      `SELECT n + 0 AS m FROM ${name}`,
      `SELECT count(*) FROM (SELECT n FROM ${name})`,
      `SELECT 1 AS one WHERE 1 IN (SELECT n FROM ${name})`,
      `SELECT * FROM open o JOIN ${name} x USING (n)`,
      `WITH c AS (SELECT n FROM ${name}) SELECT * FROM c`,
      `SELECT n FROM open UNION ALL SELECT n FROM ${name}`,
      `EXPLAIN SELECT n FROM ${name}`,
      `EXPLAIN ANALYZE SELECT n + 0 AS m FROM ${name}`,
      `DESCRIBE ${name}`,
      `DESCRIBE SELECT n FROM ${name}`,
      `SUMMARIZE ${name}`,
      `SUMMARIZE SELECT n + 0 AS m FROM ${name}`,
      `SELECT * FROM (PIVOT ${name} ON n IN (1) USING count(*))`,
    ].map((sql) => ({ sql })),
  ]
}
