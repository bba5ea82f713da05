//! The interface's own words by language, and how languages call themselves.

use serde::Serialize;

/// The words of the chrome.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Words {
    pub(super) skip: &'static str,
    pub(super) menu: &'static str,
    pub(super) close: &'static str,
    pub(super) theme: &'static str,
    pub(super) pages: &'static str,
    pub(super) sections: &'static str,
    pub(super) links: &'static str,
    pub(super) on_this_page: &'static str,
    pub(super) breadcrumbs: &'static str,
    pub(super) previous: &'static str,
    pub(super) next: &'static str,
    pub(super) related: &'static str,
    pub(super) modified: &'static str,
    pub(super) all_pages: &'static str,
    pub(super) language: &'static str,
    pub(super) version: &'static str,
    pub(super) product: &'static str,
    pub(super) announcement: &'static str,
    pub(super) deprecated: &'static str,
    pub(super) home: &'static str,
    pub(super) examples: &'static str,
    pub(super) filter: &'static str,
    pub(super) view: &'static str,
    pub(super) variation: &'static str,
    pub(super) not_found: &'static str,
    /// Below `not_found`.
    pub(super) not_found_text: &'static str,
    pub(super) failed: &'static str,
    /// In place of the chat of an `assistant` page.
    pub(super) assistant: &'static str,
}

const fn words(w: [&'static str; 28]) -> Words {
    Words {
        skip: w[0], menu: w[1], close: w[2], theme: w[3], pages: w[4], sections: w[5], links: w[6], on_this_page: w[7],
        breadcrumbs: w[8], previous: w[9], next: w[10], related: w[11], modified: w[12], all_pages: w[13], language: w[14],
        version: w[15], product: w[16], announcement: w[17], deprecated: w[18], home: w[19], examples: w[20], filter: w[21],
        view: w[22], variation: w[23], not_found: w[24], not_found_text: w[25], failed: w[26], assistant: w[27],
    }
}

const ENGLISH: Words = words([
    "Skip to content", "Menu", "Close", "Switch between light and dark", "Pages", "Sections", "Site links", "On this page",
    "Breadcrumbs", "Previous", "Next", "Related topics", "Last modified on", "All pages", "Language", "Version", "Product",
    "Announcement", "Deprecated", "Home", "Examples", "Filter", "View", "Variation", "Page not found",
    "There is no page at this address. It may have moved, or the link that led here is out of date.",
    "This page could not be rendered.",
    "This page is a chat with the site’s assistant, which needs a connection. It is not part of this copy of the documentation; all other pages are.",
]);

/// By primary language subtag.
const TABLE: [(&str, Words); 19] = [
    ("de", words(["Zum Inhalt springen", "Menü", "Schließen", "Zwischen hell und dunkel wechseln", "Seiten", "Bereiche", "Links", "Auf dieser Seite", "Brotkrumen", "Zurück", "Weiter", "Verwandte Themen", "Zuletzt geändert am", "Alle Seiten", "Sprache", "Version", "Produkt", "Ankündigung", "Veraltet", "Startseite", "Beispiele", "Filter", "Ansicht", "Variante", "Seite nicht gefunden", "Unter dieser Adresse gibt es keine Seite. Vielleicht ist sie umgezogen, oder der Link hierher ist veraltet.", "Diese Seite konnte nicht dargestellt werden.", "Diese Seite ist ein Gespräch mit dem Assistenten der Website, der eine Verbindung braucht. Er ist nicht Teil dieser Kopie der Dokumentation; alle anderen Seiten sind es."])),
    ("fr", words(["Aller au contenu", "Menu", "Fermer", "Basculer entre clair et sombre", "Pages", "Sections", "Liens du site", "Sur cette page", "Fil d’Ariane", "Précédent", "Suivant", "Sujets associés", "Dernière modification le", "Toutes les pages", "Langue", "Version", "Produit", "Annonce", "Obsolète", "Accueil", "Exemples", "Filtrer", "Vue", "Variante", "Page introuvable", "Il n’y a pas de page à cette adresse. Elle a peut-être été déplacée, ou le lien qui menait ici n’est plus à jour.", "Cette page n’a pas pu être affichée.", "Cette page est une conversation avec l’assistant du site, qui a besoin d’une connexion. Il ne fait pas partie de cette copie de la documentation ; toutes les autres pages, si."])),
    ("es", words(["Saltar al contenido", "Menú", "Cerrar", "Cambiar entre claro y oscuro", "Páginas", "Secciones", "Enlaces del sitio", "En esta página", "Ruta de navegación", "Anterior", "Siguiente", "Temas relacionados", "Última modificación el", "Todas las páginas", "Idioma", "Versión", "Producto", "Anuncio", "Obsoleto", "Inicio", "Ejemplos", "Filtrar", "Vista", "Variante", "Página no encontrada", "No hay ninguna página en esta dirección. Puede que se haya movido o que el enlace que llevaba aquí esté desactualizado.", "No se ha podido mostrar esta página.", "Esta página es un chat con el asistente del sitio, que necesita conexión. No forma parte de esta copia de la documentación; todas las demás páginas sí."])),
    ("pt", words(["Ir para o conteúdo", "Menu", "Fechar", "Alternar entre claro e escuro", "Páginas", "Seções", "Links do site", "Nesta página", "Trilha de navegação", "Anterior", "Próximo", "Tópicos relacionados", "Última modificação em", "Todas as páginas", "Idioma", "Versão", "Produto", "Aviso", "Obsoleto", "Início", "Exemplos", "Filtrar", "Visualização", "Variante", "Página não encontrada", "Não há nenhuma página neste endereço. Ela pode ter mudado de lugar, ou o link que trouxe até aqui está desatualizado.", "Não foi possível exibir esta página.", "Esta página é um chat com o assistente do site, que precisa de conexão. Ele não faz parte desta cópia da documentação; todas as outras páginas fazem."])),
    ("it", words(["Vai al contenuto", "Menu", "Chiudi", "Passa da chiaro a scuro", "Pagine", "Sezioni", "Link del sito", "In questa pagina", "Percorso", "Precedente", "Successivo", "Argomenti correlati", "Ultima modifica il", "Tutte le pagine", "Lingua", "Versione", "Prodotto", "Annuncio", "Deprecato", "Home", "Esempi", "Filtra", "Vista", "Variante", "Pagina non trovata", "A questo indirizzo non c’è nessuna pagina. Potrebbe essere stata spostata, oppure il link che portava qui non è aggiornato.", "Non è stato possibile mostrare questa pagina.", "Questa pagina è una chat con l’assistente del sito, che ha bisogno di una connessione. Non fa parte di questa copia della documentazione; tutte le altre pagine sì."])),
    ("nl", words(["Naar inhoud", "Menu", "Sluiten", "Wisselen tussen licht en donker", "Pagina’s", "Secties", "Links", "Op deze pagina", "Kruimelpad", "Vorige", "Volgende", "Verwante onderwerpen", "Laatst gewijzigd op", "Alle pagina’s", "Taal", "Versie", "Product", "Aankondiging", "Verouderd", "Start", "Voorbeelden", "Filter", "Weergave", "Variant", "Pagina niet gevonden", "Er is geen pagina op dit adres. Misschien is ze verplaatst, of is de link hierheen verouderd.", "Deze pagina kon niet worden weergegeven.", "Deze pagina is een gesprek met de assistent van de site, die een verbinding nodig heeft. Hij hoort niet bij deze kopie van de documentatie; alle andere pagina’s wel."])),
    ("pl", words(["Przejdź do treści", "Menu", "Zamknij", "Przełącz jasny i ciemny motyw", "Strony", "Sekcje", "Linki", "Na tej stronie", "Ścieżka nawigacji", "Poprzednia", "Następna", "Powiązane tematy", "Ostatnia zmiana", "Wszystkie strony", "Język", "Wersja", "Produkt", "Ogłoszenie", "Przestarzałe", "Start", "Przykłady", "Filtr", "Widok", "Wariant", "Nie znaleziono strony", "Pod tym adresem nie ma strony. Mogła zostać przeniesiona albo prowadzący tu link jest nieaktualny.", "Nie udało się wyświetlić tej strony.", "Ta strona to rozmowa z asystentem witryny, który wymaga połączenia. Nie jest on częścią tej kopii dokumentacji; wszystkie pozostałe strony są."])),
    ("ru", words(["К содержанию", "Меню", "Закрыть", "Переключить светлую и тёмную тему", "Страницы", "Разделы", "Ссылки", "На этой странице", "Навигационная цепочка", "Назад", "Далее", "Похожие темы", "Последнее изменение", "Все страницы", "Язык", "Версия", "Продукт", "Объявление", "Устарело", "Главная", "Примеры", "Фильтр", "Вид", "Вариант", "Страница не найдена", "По этому адресу страницы нет. Возможно, она перемещена или ссылка, которая сюда привела, устарела.", "Не удалось показать эту страницу.", "Эта страница — чат с помощником сайта, которому нужно соединение. Он не входит в эту копию документации; все остальные страницы входят."])),
    ("tr", words(["İçeriğe geç", "Menü", "Kapat", "Açık ve koyu arasında geçiş yap", "Sayfalar", "Bölümler", "Bağlantılar", "Bu sayfada", "Gezinme yolu", "Önceki", "Sonraki", "İlgili konular", "Son değişiklik", "Tüm sayfalar", "Dil", "Sürüm", "Ürün", "Duyuru", "Kullanımdan kalktı", "Ana sayfa", "Örnekler", "Filtre", "Görünüm", "Varyasyon", "Sayfa bulunamadı", "Bu adreste bir sayfa yok. Taşınmış olabilir ya da buraya getiren bağlantı güncel değildir.", "Bu sayfa gösterilemedi.", "Bu sayfa, bağlantı gerektiren site asistanıyla bir sohbettir. Asistan, belgelerin bu kopyasında yer almaz; diğer tüm sayfalar yer alır."])),
    ("ja", words(["本文へ移動", "メニュー", "閉じる", "ライトとダークを切り替える", "ページ", "セクション", "サイトリンク", "このページの内容", "パンくずリスト", "前へ", "次へ", "関連トピック", "最終更新日", "すべてのページ", "言語", "バージョン", "プロダクト", "お知らせ", "非推奨", "ホーム", "例", "フィルター", "表示", "バリエーション", "ページが見つかりません", "このアドレスにページはありません。移動したか、ここへのリンクが古くなっている可能性があります。", "このページを表示できませんでした。", "このページはサイトのアシスタントとのチャットで、接続が必要です。アシスタントはこのドキュメントのコピーには含まれていません。ほかのページはすべて含まれています。"])),
    ("ko", words(["본문으로 건너뛰기", "메뉴", "닫기", "라이트/다크 전환", "페이지", "섹션", "사이트 링크", "이 페이지의 내용", "탐색 경로", "이전", "다음", "관련 주제", "마지막 수정일", "모든 페이지", "언어", "버전", "제품", "공지", "지원 중단", "홈", "예시", "필터", "보기", "변형", "페이지를 찾을 수 없습니다", "이 주소에는 페이지가 없습니다. 이동되었거나 이곳으로 연결된 링크가 오래되었을 수 있습니다.", "이 페이지를 표시할 수 없습니다.", "이 페이지는 연결이 필요한 사이트 어시스턴트와의 채팅입니다. 어시스턴트는 이 문서 사본에 포함되어 있지 않으며, 다른 모든 페이지는 포함되어 있습니다."])),
    ("ar", words(["تخطَّ إلى المحتوى", "القائمة", "إغلاق", "التبديل بين الفاتح والداكن", "الصفحات", "الأقسام", "روابط الموقع", "في هذه الصفحة", "مسار التنقل", "السابق", "التالي", "مواضيع ذات صلة", "آخر تعديل في", "كل الصفحات", "اللغة", "الإصدار", "المنتج", "إعلان", "مهمل", "الرئيسية", "أمثلة", "تصفية", "العرض", "النسخة", "الصفحة غير موجودة", "لا توجد صفحة في هذا العنوان. ربما نُقلت، أو أن الرابط الذي قاد إلى هنا قديم.", "تعذّر عرض هذه الصفحة.", "هذه الصفحة محادثة مع مساعد الموقع الذي يحتاج إلى اتصال. وهو ليس جزءًا من هذه النسخة من الوثائق؛ أما باقي الصفحات فجميعها فيها."])),
    ("he", words(["דילוג לתוכן", "תפריט", "סגירה", "מעבר בין בהיר לכהה", "דפים", "מדורים", "קישורי האתר", "בדף זה", "נתיב ניווט", "הקודם", "הבא", "נושאים קשורים", "עודכן לאחרונה ב־", "כל הדפים", "שפה", "גרסה", "מוצר", "הודעה", "הוצא משימוש", "דף הבית", "דוגמאות", "סינון", "תצוגה", "גרסה חלופית", "הדף לא נמצא", "אין דף בכתובת זו. ייתכן שהועבר, או שהקישור שהוביל לכאן אינו עדכני.", "לא ניתן היה להציג דף זה.", "דף זה הוא שיחה עם העוזר של האתר, שזקוק לחיבור לרשת. הוא אינו חלק מעותק זה של התיעוד; כל שאר הדפים כלולים בו."])),
    ("uk", words(["До вмісту", "Меню", "Закрити", "Перемкнути світлу й темну тему", "Сторінки", "Розділи", "Посилання", "На цій сторінці", "Навігаційний шлях", "Назад", "Далі", "Пов’язані теми", "Остання зміна", "Усі сторінки", "Мова", "Версія", "Продукт", "Оголошення", "Застаріле", "Головна", "Приклади", "Фільтр", "Вигляд", "Варіант", "Сторінку не знайдено", "За цією адресою сторінки немає. Можливо, її переміщено або посилання, що привело сюди, застаріло.", "Не вдалося показати цю сторінку.", "Ця сторінка — чат з помічником сайту, якому потрібне з’єднання. Він не входить до цієї копії документації; усі інші сторінки входять."])),
    ("vi", words(["Chuyển đến nội dung", "Menu", "Đóng", "Chuyển giữa sáng và tối", "Trang", "Mục", "Liên kết của trang", "Trên trang này", "Đường dẫn", "Trước", "Tiếp", "Chủ đề liên quan", "Sửa đổi lần cuối", "Tất cả các trang", "Ngôn ngữ", "Phiên bản", "Sản phẩm", "Thông báo", "Không còn dùng", "Trang chủ", "Ví dụ", "Lọc", "Chế độ xem", "Biến thể", "Không tìm thấy trang", "Không có trang nào ở địa chỉ này. Có thể trang đã được chuyển đi, hoặc liên kết dẫn đến đây đã cũ.", "Không thể hiển thị trang này.", "Trang này là cuộc trò chuyện với trợ lý của trang web, vốn cần kết nối. Trợ lý không nằm trong bản sao tài liệu này; tất cả các trang khác đều có."])),
    ("id", words(["Lompat ke konten", "Menu", "Tutup", "Beralih antara terang dan gelap", "Halaman", "Bagian", "Tautan situs", "Di halaman ini", "Jejak navigasi", "Sebelumnya", "Berikutnya", "Topik terkait", "Terakhir diubah pada", "Semua halaman", "Bahasa", "Versi", "Produk", "Pengumuman", "Usang", "Beranda", "Contoh", "Saring", "Tampilan", "Variasi", "Halaman tidak ditemukan", "Tidak ada halaman di alamat ini. Mungkin sudah dipindahkan, atau tautan yang menuju ke sini sudah usang.", "Halaman ini tidak dapat ditampilkan.", "Halaman ini adalah obrolan dengan asisten situs, yang membutuhkan koneksi. Asisten itu bukan bagian dari salinan dokumentasi ini; semua halaman lain ada di dalamnya."])),
    ("sv", words(["Hoppa till innehållet", "Meny", "Stäng", "Växla mellan ljust och mörkt", "Sidor", "Avsnitt", "Länkar", "På den här sidan", "Brödsmulor", "Föregående", "Nästa", "Relaterade ämnen", "Senast ändrad", "Alla sidor", "Språk", "Version", "Produkt", "Meddelande", "Utfasad", "Start", "Exempel", "Filtrera", "Vy", "Variant", "Sidan hittades inte", "Det finns ingen sida på den här adressen. Den kan ha flyttats, eller så är länken hit inaktuell.", "Den här sidan kunde inte visas.", "Den här sidan är en chatt med webbplatsens assistent, som behöver en anslutning. Den ingår inte i den här kopian av dokumentationen; alla andra sidor gör det."])),
    ("cs", words(["Přejít k obsahu", "Nabídka", "Zavřít", "Přepnout světlý a tmavý režim", "Stránky", "Sekce", "Odkazy", "Na této stránce", "Drobečková navigace", "Předchozí", "Další", "Související témata", "Naposledy změněno", "Všechny stránky", "Jazyk", "Verze", "Produkt", "Oznámení", "Zastaralé", "Domů", "Příklady", "Filtr", "Zobrazení", "Varianta", "Stránka nenalezena", "Na této adrese není žádná stránka. Mohla být přesunuta, nebo je odkaz, který sem vedl, zastaralý.", "Tuto stránku se nepodařilo zobrazit.", "Tato stránka je chat s asistentem webu, který potřebuje připojení. Není součástí této kopie dokumentace; všechny ostatní stránky ano."])),
    ("zh", words(["跳到内容", "菜单", "关闭", "切换浅色与深色", "页面", "章节", "站点链接", "本页内容", "面包屑导航", "上一页", "下一页", "相关主题", "最后修改于", "所有页面", "语言", "版本", "产品", "公告", "已弃用", "首页", "示例", "筛选", "视图", "变体", "未找到页面", "此地址没有页面。页面可能已移动，或者指向这里的链接已过期。", "无法显示此页面。", "此页面是与站点助手的对话，需要网络连接。助手不包含在这份文档副本中；其他页面均已包含。"])),
];

/// The words of a language tag; English where we have none.
pub(super) fn of(tag: &str) -> Words {
    let primary = tag.split('-').next().unwrap_or_default();
    TABLE.iter().find(|(code, _)| *code == primary).map_or(ENGLISH, |(_, words)| *words)
}

/// The language tag (BCP 47) of a `language` of docs.json, which also knows `cn`, `jp`, `ua` and lower-case regions.
pub(super) fn tag(code: &str) -> String {
    match code {
        "cn" => return "zh-Hans".to_owned(),
        "jp" => return "ja".to_owned(),
        "ua" => return "uk".to_owned(),
        _ => {}
    }
    let parts: Vec<String> = code
        .split(['-', '_'])
        .filter(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric()))
        .enumerate()
        .map(|(i, part)| match (i, part.len()) {
            (0, _) => part.to_ascii_lowercase(),
            (_, 2) => part.to_ascii_uppercase(),
            (_, 4) => part[..1].to_ascii_uppercase() + &part[1..].to_ascii_lowercase(),
            _ => part.to_owned(),
        })
        .collect();
    if parts.is_empty() { "en".to_owned() } else { parts.join("-") }
}

/// Written from right to left.
pub(super) fn is_rtl(tag: &str) -> bool {
    matches!(tag.split('-').next().unwrap_or_default(), "ar" | "he" | "fa" | "ur")
}

/// The language's name in itself; the code as written if we do not know it.
pub(super) fn own_name(code: &str) -> &str {
    match code.to_ascii_lowercase().as_str() {
        "en" => "English",
        "cn" | "zh" | "zh-hans" | "zh-cn" => "简体中文",
        "zh-hant" | "zh-tw" => "繁體中文",
        "es" => "Español",
        "fr" => "Français",
        "fr-ca" => "Français (Canada)",
        "ja" | "jp" | "ja-jp" => "日本語",
        "pt" => "Português",
        "pt-br" => "Português (Brasil)",
        "de" => "Deutsch",
        "ko" => "한국어",
        "it" => "Italiano",
        "ru" => "Русский",
        "ro" => "Română",
        "cs" => "Čeština",
        "id" => "Bahasa Indonesia",
        "ar" => "العربية",
        "tr" => "Türkçe",
        "hi" => "हिन्दी",
        "sv" => "Svenska",
        "no" => "Norsk",
        "da" => "Dansk",
        "lv" => "Latviešu",
        "nl" => "Nederlands",
        "uk" | "ua" => "Українська",
        "vi" => "Tiếng Việt",
        "pl" => "Polski",
        "uz" => "Oʻzbekcha",
        "he" => "עברית",
        "ca" => "Català",
        "fi" => "Suomi",
        "hu" => "Magyar",
        _ => code,
    }
}

/// An ISO date (`2026-03-09…`) in words where the page is English; other languages keep the ISO form.
pub(super) fn date(iso: &str, tag: &str) -> String {
    const MONTHS: [&str; 12] = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ];
    let day = iso.split(['T', ' ']).next().unwrap_or_default();
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<usize>().ok());
    match (parts.next().flatten(), parts.next().flatten(), parts.next().flatten()) {
        (Some(year), Some(month @ 1..=12), Some(date @ 1..=31)) if day.len() == 10 => {
            if tag.starts_with("en") { format!("{} {date}, {year}", MONTHS[month - 1]) } else { day.to_owned() }
        }
        _ => iso.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_become_tags() {
        for (code, expect) in [("en", "en"), ("cn", "zh-Hans"), ("jp", "ja"), ("ua", "uk"), ("ja-jp", "ja-JP"), ("zh-hant", "zh-Hant"), ("pt_br", "pt-BR"), ("", "en"), ("\"><x", "en")] {
            assert_eq!(tag(code), expect);
        }
    }

    #[test]
    fn words_follow_the_language() {
        assert_eq!(of("de").next, "Weiter");
        assert_eq!(of("zh-Hans").next, "下一页");
        assert_eq!(of("fi").next, "Next");
    }

    /// The table is by position: a language with a word too few would not compile, one with a word left in English would.
    #[test]
    fn whole_sentences_are_translated() {
        for (code, words) in TABLE {
            for (own, english) in [
                (words.not_found, ENGLISH.not_found),
                (words.not_found_text, ENGLISH.not_found_text),
                (words.failed, ENGLISH.failed),
                (words.assistant, ENGLISH.assistant),
            ] {
                assert!(own != english && own.chars().count() >= 5, "{code}: {own}");
            }
        }
    }

    #[test]
    fn dates_read_well() {
        assert_eq!(date("2026-03-09T10:00:00Z", "en"), "March 9, 2026");
        assert_eq!(date("2026-03-09", "de"), "2026-03-09");
        assert_eq!(date("last week", "en"), "last week");
        assert_eq!(date("2026-13-09", "en"), "2026-13-09");
    }
}
