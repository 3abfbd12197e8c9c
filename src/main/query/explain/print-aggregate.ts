import type { Aggregate, Share } from '../../../plan/task/finish.ts'

/** An aggregate as SQL writes it. `nameOf` prints the column at an index of the scan's projection. */
export function printAggregate(aggregate: Aggregate, nameOf: (index: number) => string): string {
  switch (aggregate.kind) {
    case 'count_rows':
      return 'count(*)'
    case 'count_distinct':
      return `count(DISTINCT ${nameOf(aggregate.argument)})`
    case 'quantile_cont':
    case 'quantile_disc': {
      const { kind, argument, share, isDistinct } = aggregate
      return `${kind}(${isDistinct ? 'DISTINCT ' : ''}${nameOf(argument)}, ${printShare(share)})`
    }
    case 'arg_max':
    case 'arg_min':
      return `${aggregate.kind}(${nameOf(aggregate.argument)}, ${nameOf(aggregate.by)})`
    default:
      return `${aggregate.kind}(${nameOf(aggregate.argument)})`
  }
}

function printShare({ digits, scale }: Share): string {
  return (digits / 10 ** scale).toFixed(scale)
}
