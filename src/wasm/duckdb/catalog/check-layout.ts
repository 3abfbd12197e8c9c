import type { Duck } from '../instance.ts'
import { AGGREGATE, type FunctionKind } from './function-layout.ts'
import { unfit } from './misfit.ts'
import type { Overload } from './overload.ts'

/** Compares functions whose overloads are known with what is read of them. Throws `internal` if they differ. */
export function checkLayout(
  duck: Duck,
  overloads: (kind: FunctionKind, name: string) => readonly Overload[],
): void {
  const print = (kind: FunctionKind, name: string) =>
    overloads(kind, name)
      .map((overload) => `${overload.parameters} ${overload.returns}`)
      .sort()
      .join()
  const dates = ['date', 'interval', 'timestamp', 'timestamp_tz'].map((type) => `${type} bigint`)
  if (print('scalar', 'year') !== dates.join()) unfit('year')
  const sums = ['bigint hugeint', 'bignum bignum', 'boolean hugeint', 'decimal decimal', 'double double']
  const smallSums = ['hugeint hugeint', 'integer hugeint', 'smallint hugeint']
  if (print('aggregate', 'sum') !== [...sums, ...smallSums].join()) unfit('sum')
  if (overloads('scalar', 'no such function').length > 0) unfit('a function that is missing')
  // It is known of these functions whether a call has to be bound, and whether the code is here.
  const of = (kind: FunctionKind, name: string, parameters: string) =>
    overloads(kind, name).find((overload) => overload.parameters.join() === parameters) ?? unfit(name)
  const year = of('scalar', 'year', 'date')
  const zonedYear = of('scalar', 'year', 'timestamp_tz')
  if (year.bind !== 0 || of('scalar', 'strftime', 'date,varchar').bind === 0)
    unfit('what binds a scalar function')
  if (of('aggregate', 'sum', 'decimal').bind === 0 || of('aggregate', 'count_if', 'boolean').bind !== 0)
    unfit('what binds an aggregate')
  if (year.code === 0 || zonedYear.code !== 0 || zonedYear.bind === 0) unfit('the code of a scalar function')
  // Sums of integers have the same states, and only those of at most 64 bits may be replaced by faster ones.
  const { u32 } = duck.memory.views()
  const pointers = (parameter: string) => {
    const sum = overloads('aggregate', 'sum').find(({ parameters }) => parameters.join() === parameter)
    const at = (offset: number) => u32[((sum?.address ?? 0) + offset) / 4] ?? 0
    return { finalize: at(AGGREGATE.finalize), statistics: at(AGGREGATE.statistics) }
  }
  const [integer, bigint, hugeint] = [pointers('integer'), pointers('bigint'), pointers('hugeint')]
  if (integer.finalize === 0 || integer.finalize !== bigint.finalize) unfit('what ends an aggregate')
  if (integer.statistics === 0 || integer.statistics !== bigint.statistics || hugeint.statistics !== 0)
    unfit('what replaces an aggregate')
}
