// The accounts and taxes of lines whose item and contact have none.
import { getOrganisation } from '../../books/settings/get-organisation.ts'
import { updateOrganisation } from '../../books/settings/update-organisation.ts'
import { DefaultFields, readDefaultChoices, readDefaults } from '../components/default-fields.tsx'
import { formPage } from '../components/form-page.tsx'
import { defineForm } from '../shell/define-page.ts'

export const defaultAccountsForm = defineForm({
  path: '/settings/defaults',
  operation: updateOrganisation,
  input(_visit, form) {
    const chosen = readDefaults(form)
    return {
      defaultSalesAccountId: chosen.salesAccountId,
      defaultPurchaseAccountId: chosen.purchaseAccountId,
      defaultSalesTaxCodeId: chosen.salesTaxCodeId,
      defaultPurchaseTaxCodeId: chosen.purchaseTaxCodeId,
    }
  },
  async show(visit, draft) {
    const [organisation, choices] = await Promise.all([
      visit.run(getOrganisation, {}),
      readDefaultChoices(visit),
    ])
    return formPage({
      title: 'Default accounts and taxes',
      back: { href: visit.href('/settings'), text: 'Settings' },
      draft,
      submit: 'Save',
      children: (
        <>
          <p class="quiet">
            A line takes them if neither the line itself, its item nor its contact has others.
          </p>
          <DefaultFields
            draft={draft}
            choices={choices}
            stored={{
              salesAccountId: organisation.defaultSalesAccountId,
              purchaseAccountId: organisation.defaultPurchaseAccountId,
              salesTaxCodeId: organisation.defaultSalesTaxCodeId,
              purchaseTaxCodeId: organisation.defaultPurchaseTaxCodeId,
            }}
          />
        </>
      ),
    })
  },
  done: (visit) => ({ location: visit.href('/settings'), message: 'The defaults are saved.' }),
})
