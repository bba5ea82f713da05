//! The interface's own words inside the content of a page, by language.

/// Words that the program writes into contents, and those that its scripts show there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Of the button beside code.
    pub copy_code: &'static str,
    /// What it says afterwards.
    pub copied: &'static str,
    /// Unfolds a long block.
    pub show_all: &'static str,
    /// Folds it again.
    pub show_less: &'static str,
    /// Of a field that must be sent.
    pub required: &'static str,
    /// Of a field that should not be used any more.
    pub deprecated: &'static str,
    /// Before the value that a field has otherwise.
    pub default: &'static str,
    /// The name of a group of tabs.
    pub request_example: &'static str,
    /// The name of a group of tabs.
    pub response_example: &'static str,
    /// Of the sign beside a heading.
    pub link_here: &'static str,
}

const fn words(w: [&'static str; 10]) -> Words {
    Words {
        copy_code: w[0],
        copied: w[1],
        show_all: w[2],
        show_less: w[3],
        required: w[4],
        deprecated: w[5],
        default: w[6],
        request_example: w[7],
        response_example: w[8],
        link_here: w[9],
    }
}

/// English, and whatever has no words of its own.
pub const ENGLISH: Words = words([
    "Copy code",
    "Copied",
    "Show all",
    "Show less",
    "required",
    "deprecated",
    "default",
    "Request example",
    "Response example",
    "Link to this section",
]);

/// By primary language subtag.
static TABLE: [(&str, Words); 19] = [
    (
        "de",
        words([
            "Code kopieren",
            "Kopiert",
            "Alles anzeigen",
            "Weniger anzeigen",
            "erforderlich",
            "veraltet",
            "Standard",
            "Beispielanfrage",
            "Beispielantwort",
            "Link zu diesem Abschnitt",
        ]),
    ),
    (
        "fr",
        words([
            "Copier le code",
            "Copié",
            "Tout afficher",
            "Réduire",
            "obligatoire",
            "obsolète",
            "par défaut",
            "Exemple de requête",
            "Exemple de réponse",
            "Lien vers cette section",
        ]),
    ),
    (
        "es",
        words([
            "Copiar código",
            "Copiado",
            "Mostrar todo",
            "Mostrar menos",
            "obligatorio",
            "obsoleto",
            "predeterminado",
            "Ejemplo de solicitud",
            "Ejemplo de respuesta",
            "Enlace a esta sección",
        ]),
    ),
    (
        "pt",
        words([
            "Copiar código",
            "Copiado",
            "Mostrar tudo",
            "Mostrar menos",
            "obrigatório",
            "obsoleto",
            "padrão",
            "Exemplo de requisição",
            "Exemplo de resposta",
            "Link para esta seção",
        ]),
    ),
    (
        "it",
        words([
            "Copia il codice",
            "Copiato",
            "Mostra tutto",
            "Mostra meno",
            "obbligatorio",
            "deprecato",
            "predefinito",
            "Esempio di richiesta",
            "Esempio di risposta",
            "Link a questa sezione",
        ]),
    ),
    (
        "nl",
        words([
            "Code kopiëren",
            "Gekopieerd",
            "Alles tonen",
            "Minder tonen",
            "verplicht",
            "verouderd",
            "standaard",
            "Voorbeeldverzoek",
            "Voorbeeldantwoord",
            "Link naar deze sectie",
        ]),
    ),
    (
        "pl",
        words([
            "Kopiuj kod",
            "Skopiowano",
            "Pokaż wszystko",
            "Pokaż mniej",
            "wymagane",
            "przestarzałe",
            "domyślnie",
            "Przykład żądania",
            "Przykład odpowiedzi",
            "Link do tej sekcji",
        ]),
    ),
    (
        "ru",
        words([
            "Скопировать код",
            "Скопировано",
            "Показать всё",
            "Свернуть",
            "обязательно",
            "устарело",
            "по умолчанию",
            "Пример запроса",
            "Пример ответа",
            "Ссылка на этот раздел",
        ]),
    ),
    (
        "tr",
        words([
            "Kodu kopyala",
            "Kopyalandı",
            "Tümünü göster",
            "Daha az göster",
            "zorunlu",
            "kullanımdan kalktı",
            "varsayılan",
            "Örnek istek",
            "Örnek yanıt",
            "Bu bölüme bağlantı",
        ]),
    ),
    (
        "ja",
        words([
            "コードをコピー",
            "コピーしました",
            "すべて表示",
            "折りたたむ",
            "必須",
            "非推奨",
            "デフォルト",
            "リクエストの例",
            "レスポンスの例",
            "このセクションへのリンク",
        ]),
    ),
    (
        "ko",
        words([
            "코드 복사",
            "복사됨",
            "모두 보기",
            "접기",
            "필수",
            "지원 중단",
            "기본값",
            "요청 예시",
            "응답 예시",
            "이 섹션으로 연결되는 링크",
        ]),
    ),
    (
        "ar",
        words([
            "نسخ الشيفرة",
            "تم النسخ",
            "عرض الكل",
            "عرض أقل",
            "مطلوب",
            "مهمل",
            "الافتراضي",
            "مثال الطلب",
            "مثال الاستجابة",
            "رابط إلى هذا القسم",
        ]),
    ),
    (
        "he",
        words([
            "העתקת הקוד",
            "הועתק",
            "הצגת הכול",
            "הצגת פחות",
            "חובה",
            "הוצא משימוש",
            "ברירת מחדל",
            "דוגמת בקשה",
            "דוגמת תשובה",
            "קישור למקטע זה",
        ]),
    ),
    (
        "uk",
        words([
            "Скопіювати код",
            "Скопійовано",
            "Показати все",
            "Згорнути",
            "обов’язково",
            "застаріле",
            "за замовчуванням",
            "Приклад запиту",
            "Приклад відповіді",
            "Посилання на цей розділ",
        ]),
    ),
    (
        "vi",
        words([
            "Sao chép mã",
            "Đã sao chép",
            "Hiện tất cả",
            "Thu gọn",
            "bắt buộc",
            "không còn dùng",
            "mặc định",
            "Ví dụ yêu cầu",
            "Ví dụ phản hồi",
            "Liên kết đến mục này",
        ]),
    ),
    (
        "id",
        words([
            "Salin kode",
            "Tersalin",
            "Tampilkan semua",
            "Ciutkan",
            "wajib",
            "usang",
            "bawaan",
            "Contoh permintaan",
            "Contoh respons",
            "Tautan ke bagian ini",
        ]),
    ),
    (
        "sv",
        words([
            "Kopiera koden",
            "Kopierat",
            "Visa allt",
            "Visa mindre",
            "obligatorisk",
            "utfasad",
            "standard",
            "Exempel på anrop",
            "Exempel på svar",
            "Länk till det här avsnittet",
        ]),
    ),
    (
        "cs",
        words([
            "Kopírovat kód",
            "Zkopírováno",
            "Zobrazit vše",
            "Zobrazit méně",
            "povinné",
            "zastaralé",
            "výchozí",
            "Příklad požadavku",
            "Příklad odpovědi",
            "Odkaz na tuto sekci",
        ]),
    ),
    (
        "zh",
        words([
            "复制代码",
            "已复制",
            "显示全部",
            "收起",
            "必填",
            "已弃用",
            "默认值",
            "请求示例",
            "响应示例",
            "指向本节的链接",
        ]),
    ),
];

/// The words of a language, as docs.json names it or as a tag; English where we have none.
pub fn of(language: &str) -> &'static Words {
    let primary = language.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let primary = match primary.as_str() {
        "cn" => "zh",
        "jp" => "ja",
        "ua" => "uk",
        known => known,
    };
    TABLE.iter().find(|(code, _)| *code == primary).map_or(&ENGLISH, |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_as_docs_json_and_as_tags_name_them() {
        assert_eq!((of("de").copied, of("pt-BR").copied, of("fr-ca").copied), ("Kopiert", "Copiado", "Copié"));
        assert_eq!((of("cn").copied, of("jp").copied, of("zh-Hant").copied), ("已复制", "コピーしました", "已复制"));
        assert_eq!((of(""), of("en-US"), of("tlh")), (&ENGLISH, &ENGLISH, &ENGLISH));
    }

    #[test]
    fn every_language_has_every_word() {
        for (code, words) in &TABLE {
            let Words {
                copy_code,
                copied,
                show_all,
                show_less,
                required,
                deprecated,
                default,
                request_example,
                response_example,
                link_here,
            } = words;
            let all = [
                copy_code,
                copied,
                show_all,
                show_less,
                required,
                deprecated,
                default,
                request_example,
                response_example,
                link_here,
            ];
            assert!(all.iter().all(|word| !word.trim().is_empty() && !word.contains(['"', '<', '&', '|'])), "{code}");
        }
    }
}
