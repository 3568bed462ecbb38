// Links to the same page in other languages. They work without JavaScript.
import { languageNames, type PayerLanguage } from './payer-language.ts'

export function LanguageChoice({ language, path }: { language: PayerLanguage; path: string }) {
  return (
    <nav class="languages" aria-label={language.texts.languages}>
      {languageNames.map(({ code, name }) =>
        code === language.code ? (
          <span key={code} aria-current="true" lang={code}>
            {name}
          </span>
        ) : (
          <a key={code} href={`${path}?lang=${code}`} lang={code} hreflang={code} rel="nofollow">
            {name}
          </a>
        ),
      )}
    </nav>
  )
}
