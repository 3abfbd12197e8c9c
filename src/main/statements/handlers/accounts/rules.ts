import { ServiceError } from '../../../../plan/errors.ts'
import type { Rule, RuleTarget } from '../../../auth/directory/directory.ts'
import { ruleKey } from '../../../auth/rights/rule-key.ts'
import { type Catalog, PUBLIC } from '../../../catalog/catalog.ts'
import { parsePath } from '../../../patterns/path.ts'
import type { AddRule, RemoveRule, WrittenRule, WrittenTarget } from '../../../sql/grammar/node.ts'
import type { RunCommand } from '../../context.ts'
import { targetName } from '../../target-name.ts'
import { roleNamed } from './account-names.ts'

/** The most rules of a role: each is tested for what its users read. */
const MOST_RULES = 1000

/** GRANT and DENY of a privilege. A rule that the role has already is not stored again. */
export const addRule: RunCommand<AddRule> = async (node, { directory, catalog, signal }) => {
  const rule = ruleOf(node.rule, catalog)
  await directory.change(() => {
    const role = roleNamed(node.role, directory.snapshot())
    if (role.rules.some(isEqualTo(rule))) return []
    if (role.rules.length >= MOST_RULES)
      throw new ServiceError(
        'invalid_sql',
        `The role ${JSON.stringify(role.name)} has ${MOST_RULES} rules, which are as many as one may have; write globs, or spread them over several roles.`,
        { about: role.name },
      )
    return [{ kind: 'put_role', role: { ...role, rules: Object.freeze([...role.rules, rule]) } }]
  }, signal)
}

/** REVOKE and REVOKE DENY of a privilege. That the role does not have the rule is no error. */
export const removeRule: RunCommand<RemoveRule> = async (node, { directory, catalog, signal }) => {
  const isRemoved = isEqualTo(ruleOf(node.rule, catalog))
  await directory.change(() => {
    const role = roleNamed(node.role, directory.snapshot())
    const rules = role.rules.filter((rule) => !isRemoved(rule))
    if (rules.length === role.rules.length) return []
    return [{ kind: 'put_role', role: { ...role, rules: Object.freeze(rules) } }]
  }, signal)
}

function isEqualTo(rule: Rule): (other: Rule) => boolean {
  const key = ruleKey(rule)
  return (other) => ruleKey(other) === key
}

/**
 * The rule that is written. Throws `not_supported` for another privilege than SELECT, `unknown_table` for a table of another catalog or
 * schema, and `invalid_path`.
 */
function ruleOf({ effect, privilege, target }: WrittenRule, catalog: Catalog): Rule {
  if (privilege !== 'SELECT')
    throw new ServiceError(
      'not_supported',
      `Roles are read-only: SELECT is the only privilege of a rule, not ${privilege}. The super-user alone may change anything.`,
    )
  return Object.freeze({ effect, target: Object.freeze(targetOf(target, catalog)) })
}

/** The longest name of a table in a rule, in bytes of UTF-8: as long as a path may be. */
const NAME_BYTES = 4096

/** There need not be a table or a file that the target names. */
function targetOf(target: WrittenTarget, catalog: Catalog): RuleTarget {
  switch (target.kind) {
    case 'all':
      return { kind: 'all' }
    case 'table': {
      const name = targetName(target.name, catalog)
      if (Buffer.byteLength(name) > NAME_BYTES)
        throw new ServiceError(
          'invalid_sql',
          `The name of a table in a rule has at most ${NAME_BYTES} bytes.`,
        )
      return { kind: 'table', schema: PUBLIC, name }
    }
    case 'path':
      parsePath(target.glob)
      return { kind: 'path', glob: target.glob }
  }
}
