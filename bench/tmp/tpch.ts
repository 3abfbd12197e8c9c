import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { withService } from '../service/service.ts'
const root = join(import.meta.dirname, '../data')
const scratch = mkdtempSync('/tmp/tp-')
const T = `read_parquet(['lineitem.parquet'])`
const med = (a: number[]) => a.toSorted((x, y) => x - y)[a.length >> 1]?.toFixed(1)
const forms: Record<string, string> = {
  q1: `SELECT l_returnflag, l_linestatus, sum(l_quantity) AS sum_qty, sum(l_extendedprice) AS sum_base_price,
      sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
      sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
      avg(l_quantity) AS avg_qty, avg(l_extendedprice) AS avg_price, avg(l_discount) AS avg_disc, count(*) AS count_order
    FROM ${T} WHERE l_shipdate <= DATE '1998-09-02'
    GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus`,
  q6: `SELECT sum(l_extendedprice * l_discount) AS revenue FROM ${T}
    WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01'
      AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24`,
  sumDecimal: `SELECT sum(l_extendedprice) AS s FROM ${T}`,
  sumProduct: `SELECT sum(l_extendedprice * l_discount) AS s FROM ${T}`,
  countDecimal: `SELECT count(*) AS n FROM ${T} WHERE l_quantity < 24`,
  countDate: `SELECT count(*) AS n FROM ${T} WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01'`,
  keys: `SELECT l_returnflag, l_linestatus, count(*) AS n FROM ${T} GROUP BY l_returnflag, l_linestatus`,
}
const keeps = process.argv[4] === 'kept'
await withService({ dataDir: join(scratch, `d`), datasetsDir: root, workers: 1, asksAnew: true, keepsColumns: keeps, profileDir: process.argv[2] || null }, async (service) => {
  await service.ready()
  for (const [k, sql] of Object.entries(forms)) {
    if (process.argv[3] && process.argv[3] !== k) continue
    const t: number[] = []
    for (let i = 0; i < 14; i++) { const a = performance.now(); await service.query({ sql }); t.push(performance.now() - a) }
    console.log(k, med(t.slice(3)))
  }
})
