// Items: what is sold or bought often. A line that names one takes its text, price and defaults.
import { createItem } from '../../books/items/create-item.ts'
import type { Item } from '../../books/items/item.ts'
import { listItems } from '../../books/items/list-items.ts'
import { updateItem } from '../../books/items/update-item.ts'
import { notFound } from '../../kernel/basics/fault.ts'
import { Badge } from '../../kernel/web/components.tsx'
import {
  type DefaultChoices,
  DefaultFields,
  readDefaultChoices,
  readDefaults,
} from '../components/default-fields.tsx'
import { DraftSelect, DraftText } from '../components/draft-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { EmptyState, Table } from '../components/table.tsx'
import { type Draft, defineForm, definePage } from '../shell/define-page.ts'
import type { Visit } from '../shell/visit.ts'

const path = '/items'
const back = (visit: Visit) => ({ href: visit.href(path), text: 'Items' })

const listPage = definePage({
  path,
  operation: listItems,
  async show(visit) {
    const items = await visit.run(listItems, {})
    const isWriter = visit.may(updateItem)
    return {
      title: 'Items',
      content: (
        <>
          <PageHeader
            title="Items"
            lead="What you sell or buy often. Choose one on a line, and the rest is filled in."
            actions={
              visit.may(createItem) && (
                <a class="btn btn-primary" href={visit.href(`${path}/new`)}>
                  New item
                </a>
              )
            }
          />
          {items.length === 0 ? (
            <EmptyState title="No items yet">
              Add one to write the same line on many invoices without typing it again.
            </EmptyState>
          ) : (
            <Table
              caption="Items"
              rows={items}
              keyOf={({ id }) => id}
              {...(isWriter && { hrefOf: ({ id }: Item) => visit.href(`${path}/${id}/edit`) })}
              columns={[
                { label: 'Code', cell: ({ code }) => code },
                { label: 'Name', cell: ({ name }) => name },
                {
                  label: 'Sales price',
                  isNumber: true,
                  cell: ({ salesUnitPrice }) => salesUnitPrice ?? '',
                },
                {
                  label: 'Purchase price',
                  isNumber: true,
                  cell: ({ purchaseUnitPrice }) => purchaseUnitPrice ?? '',
                },
                {
                  label: 'In use',
                  cell: ({ active }) => (active ? 'Yes' : <Badge tone="unsure">Inactive</Badge>),
                },
              ]}
            />
          )}
        </>
      ),
    }
  },
})

const createForm = defineForm({
  path: `${path}/new`,
  operation: createItem,
  input: (_visit, form) => fieldsOf(form),
  show: async (visit, draft) =>
    formPage({
      title: 'New item',
      back: back(visit),
      draft,
      submit: 'Add item',
      children: <ItemFields draft={draft} choices={await readDefaultChoices(visit)} />,
    }),
  done: (visit, { name }) => ({ location: visit.href(path), message: `${name} is added.` }),
})

const editForm = defineForm({
  path: `${path}/:id/edit`,
  operation: updateItem,
  input: (visit, form) => ({
    ...fieldsOf(form),
    id: visit.param('id'),
    active: form.get('active') !== 'no',
  }),
  async show(visit, draft) {
    const items = await visit.run(listItems, {})
    const item = items.find(({ id }) => id === visit.param('id'))
    if (!item) throw notFound('item')
    return formPage({
      title: `Change ${item.name}`,
      back: back(visit),
      draft,
      submit: 'Save',
      children: (
        <>
          <ItemFields draft={draft} choices={await readDefaultChoices(visit)} item={item} />
          <DraftSelect
            draft={draft}
            name="active"
            label="In use"
            hint="An item that is not in use is not offered for new lines."
            initial={item.active ? 'yes' : 'no'}
            choices={{ yes: 'Yes', no: 'No' }}
          />
        </>
      ),
    })
  },
  done: (visit, { name }) => ({ location: visit.href(path), message: `${name} is changed.` }),
})

export const itemsPages = [...listPage, ...createForm, ...editForm]

function fieldsOf(form: URLSearchParams) {
  const text = (name: string) => form.get(name)?.trim() ?? ''
  return {
    code: text('code'),
    name: text('name'),
    description: text('description'),
    salesUnitPrice: text('salesUnitPrice') || null,
    purchaseUnitPrice: text('purchaseUnitPrice') || null,
    ...readDefaults(form),
  }
}

type FieldsProps = { draft: Draft; choices: DefaultChoices; item?: Item }

function ItemFields({ draft, choices, item }: FieldsProps) {
  return (
    <>
      <DraftText
        draft={draft}
        name="code"
        label="Code"
        hint="Your own short name, used once."
        initial={item?.code ?? ''}
      />
      <DraftText draft={draft} name="name" label="Name" initial={item?.name ?? ''} />
      <DraftText
        draft={draft}
        name="description"
        label="Text on documents (optional)"
        initial={item?.description ?? ''}
        isOptional
      />
      <DraftText
        draft={draft}
        name="salesUnitPrice"
        label="Sales price (optional)"
        hint="In the currency of your books."
        initial={item?.salesUnitPrice ?? ''}
        inputMode="decimal"
        isOptional
      />
      <DraftText
        draft={draft}
        name="purchaseUnitPrice"
        label="Purchase price (optional)"
        initial={item?.purchaseUnitPrice ?? ''}
        inputMode="decimal"
        isOptional
      />
      <DefaultFields draft={draft} choices={choices} {...(item && { stored: item })} />
    </>
  )
}
