import type { Environment, Tenant } from '../../kernel/basics/tenant.ts'
import type { Sql, Tx } from '../../kernel/db/database.ts'

export type StepSubject = 'charge' | 'refund' | 'transfer'

export type Step = {
  readonly businessId: string
  readonly environment: Environment
  readonly id: bigint
  readonly subject: StepSubject
  readonly subjectId: bigint
  readonly step: string
  readonly note: string | null
}

export type NewStep = Pick<Step, 'subject' | 'subjectId' | 'step' | 'note'> & {
  readonly dueAt: Date | null
  readonly createdAt: Date
}

export async function insertStep(tx: Tx, tenant: Tenant, step: NewStep): Promise<void> {
  const { businessId, environment } = tenant
  await tx`insert into simulator.steps ${tx({ businessId, environment, ...step })}`
}

// The oldest due step of any world; these tables are never distributed. A step that is not due
// blocks later ones of the same charge, refund or transfer. Only a settlement that waits for the
// control API does not block a reversal of its charge.
export async function lockDueStep(tx: Tx, now: Date): Promise<Step | undefined> {
  const [row] = await tx<Step[]>`
    select business_id, environment, id, subject, subject_id, step, note
    from simulator.steps as step
    where done_at is null
      and due_at <= ${now}
      and not exists (
        select 1
        from simulator.steps as earlier
        where earlier.business_id = step.business_id
          and earlier.environment = step.environment
          and earlier.subject = step.subject
          and earlier.subject_id = step.subject_id
          and earlier.id < step.id
          and (earlier.due_at is not null or step.subject <> 'charge')
          and earlier.done_at is null)
    order by due_at, id
    limit 1
    for update skip locked`
  return row
}

export async function updateStepDone(tx: Tx, tenant: Tenant, id: bigint, now: Date): Promise<void> {
  await tx`
    update simulator.steps
    set done_at = ${now}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

export type StepRow = Step & { readonly dueAt: Date | null; readonly doneAt: Date | null }

export async function listSteps(
  sql: Sql | Tx,
  tenant: Tenant,
  subject: StepSubject,
  subjectId: bigint,
): Promise<StepRow[]> {
  return sql<StepRow[]>`
    select business_id, environment, id, subject, subject_id, step, note, due_at, done_at
    from simulator.steps
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subject = ${subject}
      and subject_id = ${subjectId}
    order by id`
}

// Null sets it aside until the control API runs it.
export async function updateStepDue(
  sql: Sql | Tx,
  tenant: Tenant,
  id: bigint,
  dueAt: Date | null,
): Promise<void> {
  await sql`
    update simulator.steps
    set due_at = ${dueAt}
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and id = ${id}`
}

// Removes planned steps that are no longer relevant.
export async function deleteOpenSteps(
  tx: Tx,
  tenant: Tenant,
  { kind, id }: { readonly kind: StepSubject; readonly id: bigint },
): Promise<void> {
  await tx`
    delete from simulator.steps
    where business_id = ${tenant.businessId}
      and environment = ${tenant.environment}
      and subject = ${kind}
      and subject_id = ${id}
      and done_at is null`
}
