// Up to which amount each person can approve documents of the books.
import { listApprovalLimits } from '../../books/documents/list-approval-limits.ts'
import { setApprovalLimit } from '../../books/documents/set-approval-limit.ts'
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { updateOrganisation } from '../../books/settings/update-organisation.ts'
import type { AccessOperations } from '../../kernel/access/access-operations.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { approverRoles } from '../../kernel/operations/permission.ts'
import { readTypedAmount, typedAmount } from '../components/amount-field.ts'
import { DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { Money } from '../components/money.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Table } from '../components/table.tsx'
import { type AppRoute, defineForm, definePage } from '../shell/define-page.ts'
import { roleLabels } from '../shell/role-labels.ts'

const path = '/settings/approval-limits'

export function approvalLimitPages(access: AccessOperations): AppRoute[] {
  return [...listPage(access), ...editForm(access)]
}

function listPage({ listMembers }: AccessOperations): AppRoute[] {
  return definePage({
    path,
    operation: listApprovalLimits,
    async show(visit) {
      const [members, limits, organisation] = await Promise.all([
        visit.run(listMembers, {}),
        visit.run(listApprovalLimits, {}),
        visit.run(getOrganisation, {}),
      ])
      const approvers = members.filter(({ role }) => approverRoles.includes(role))
      const limitOf = (person: string) => limits.find(({ personId }) => personId === person)
      return {
        title: 'Approval of documents',
        content: (
          <>
            <PageHeader
              back={{ href: visit.href('/settings'), text: 'Settings' }}
              title="Approval of documents"
              lead={rulesText(organisation)}
              actions={
                visit.may(updateOrganisation) && (
                  <a class="btn" href={visit.href('/settings/books')}>
                    Change the rules
                  </a>
                )
              }
            />
            <Table
              caption="Approval limits"
              rows={approvers}
              keyOf={({ personId }) => personId}
              columns={[
                { label: 'Name', cell: ({ name }) => name },
                { label: 'Role', cell: ({ role }) => roleLabels[role] },
                {
                  label: 'Approves up to',
                  isNumber: true,
                  cell: ({ personId }) => {
                    const limit = limitOf(personId)
                    if (!limit || limit.limitMinor === null) return 'No limit'
                    return <Money minor={limit.limitMinor} currency={limit.currency} />
                  },
                },
                {
                  label: 'Actions',
                  cell: ({ personId, name }) =>
                    visit.may(setApprovalLimit) && (
                      <a href={visit.href(`${path}/${personId}/edit`)}>
                        Change <span class="visually-hidden">the limit of {name}</span>
                      </a>
                    ),
                },
              ]}
            />
          </>
        ),
      }
    },
  })
}

function editForm({ listMembers }: AccessOperations): AppRoute[] {
  return defineForm({
    path: `${path}/:person/edit`,
    operation: setApprovalLimit,
    isSensitive: true,
    async input(visit, form) {
      const { baseCurrency } = await visit.run(getOrganisation, {})
      return { personId: visit.param('person'), limit: readLimit(form, baseCurrency) }
    },
    async show(visit, draft) {
      const [members, limits, { baseCurrency }] = await Promise.all([
        visit.run(listMembers, {}),
        visit.run(listApprovalLimits, {}),
        visit.run(getOrganisation, {}),
      ])
      const person = members.find(({ personId }) => personId === visit.param('person'))
      if (!person) throw notFound('person')
      const limit = limits.find(({ personId }) => personId === person.personId)?.limitMinor ?? null
      return formPage({
        title: `Approval limit of ${person.name}`,
        back: { href: visit.href(path), text: 'Approval of documents' },
        draft,
        submit: 'Save limit',
        children: (
          <DraftText
            draft={draft}
            name="limit"
            label={`Approves up to, in ${baseCurrency} (optional)`}
            hint="Documents above this amount need someone else. Leave it empty for no limit."
            initial={limit === null ? '' : typedAmount(limit, baseCurrency)}
            inputMode="decimal"
            isOptional
          />
        ),
      })
    },
    done: (visit, { limitMinor }) => ({
      location: visit.href(path),
      message: limitMinor === null ? 'The limit is removed.' : 'The limit is saved.',
    }),
  })
}

function rulesText({ approvalsOn, fourEyesOn }: Awaited<ReturnType<typeof getOrganisation.run>>) {
  if (!approvalsOn) return 'Documents need no approval at the moment.'
  return fourEyesOn
    ? 'Every document needs an approval, and no one approves their own.'
    : 'Every document needs an approval.'
}

// Zero is a limit too: the person approves nothing that costs something.
function readLimit(form: URLSearchParams, currency: string): string | null {
  const text = (form.get('limit') ?? '').trim()
  if (text === '') return null
  if (/^0+([.,]0*)?$/.test(text)) return '0'
  return typedAmount(readTypedAmount(form, 'limit', currency), currency)
}
