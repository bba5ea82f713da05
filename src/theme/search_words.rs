//! The words of the search dialog by language. `{}` stands for what was asked, or for a number.

use serde::Serialize;

/// What the dialog says.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Words {
    /// Name of button and dialog.
    pub(super) search: &'static str,
    /// In the empty field.
    #[serde(skip)]
    pub(super) prompt: &'static str,
    /// Before anything is typed.
    pub(super) idle: &'static str,
    pub(super) count: &'static str,
    /// The same for one result.
    pub(super) one: &'static str,
    pub(super) none: &'static str,
    pub(super) advice: &'static str,
    pub(super) failed: &'static str,
    pub(super) retry: &'static str,
    /// What the keys in the foot do.
    #[serde(rename = "move")]
    pub(super) moves: &'static str,
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// What shows the results beyond the first ones.
    pub(super) all: &'static str,
    pub(super) versions: &'static str,
    /// All tabs or products.
    pub(super) sections: &'static str,
    /// What leads to results that are not in the version or section that the reader looks in.
    pub(super) everywhere: &'static str,
}

const fn words(w: [&'static str; 16]) -> Words {
    Words { search: w[0], prompt: w[1], idle: w[2], count: w[3], one: w[4], none: w[5], advice: w[6], failed: w[7], retry: w[8], moves: w[9], open: w[10], close: w[11], all: w[12], versions: w[13], sections: w[14], everywhere: w[15] }
}

const ENGLISH: Words = words([
    "Search", "Search the documentation…", "Titles, headings, text and code of all pages", "{} results", "{} result", "Nothing found for {}",
    "Try fewer or other words.", "Search could not be loaded", "Reload the page and try again.", "to move", "to open", "to close",
    "Show all {} results", "All versions", "All sections", "Search everywhere",
]);

/// By primary language subtag.
const TABLE: [(&str, Words); 19] = [
    ("de", words(["Suchen", "Dokumentation durchsuchen…", "Titel, Überschriften, Text und Code aller Seiten", "{} Treffer", "{} Treffer", "Nichts gefunden für {}", "Versuchen Sie weniger oder andere Wörter.", "Die Suche konnte nicht geladen werden", "Laden Sie die Seite neu und versuchen Sie es noch einmal.", "bewegen", "öffnen", "schließen", "Alle {} Treffer zeigen", "Alle Versionen", "Alle Bereiche", "Überall suchen"])),
    ("fr", words(["Rechercher", "Rechercher dans la documentation…", "Titres, intertitres, texte et code de toutes les pages", "Résultats : {}", "Résultats : {}", "Aucun résultat pour {}", "Essayez moins de mots, ou d’autres.", "La recherche n’a pas pu être chargée", "Rechargez la page et réessayez.", "se déplacer", "ouvrir", "fermer", "Afficher les {} résultats", "Toutes les versions", "Toutes les sections", "Rechercher partout"])),
    ("es", words(["Buscar", "Buscar en la documentación…", "Títulos, encabezados, texto y código de todas las páginas", "Resultados: {}", "Resultados: {}", "Sin resultados para {}", "Pruebe con menos palabras o con otras.", "No se ha podido cargar la búsqueda", "Vuelva a cargar la página e inténtelo de nuevo.", "moverse", "abrir", "cerrar", "Mostrar los {} resultados", "Todas las versiones", "Todas las secciones", "Buscar en todas partes"])),
    ("pt", words(["Pesquisar", "Pesquisar na documentação…", "Títulos, cabeçalhos, texto e código de todas as páginas", "Resultados: {}", "Resultados: {}", "Nenhum resultado para {}", "Tente menos palavras, ou outras.", "Não foi possível carregar a pesquisa", "Recarregue a página e tente novamente.", "mover", "abrir", "fechar", "Mostrar todos os {} resultados", "Todas as versões", "Todas as seções", "Pesquisar em tudo"])),
    ("it", words(["Cerca", "Cerca nella documentazione…", "Titoli, intestazioni, testo e codice di tutte le pagine", "Risultati: {}", "Risultati: {}", "Nessun risultato per {}", "Prova con meno parole o con altre.", "Non è stato possibile caricare la ricerca", "Ricarica la pagina e riprova.", "spostarsi", "aprire", "chiudere", "Mostra tutti i {} risultati", "Tutte le versioni", "Tutte le sezioni", "Cerca ovunque"])),
    ("nl", words(["Zoeken", "Zoeken in de documentatie…", "Titels, koppen, tekst en code van alle pagina’s", "{} resultaten", "{} resultaat", "Niets gevonden voor {}", "Probeer minder of andere woorden.", "Zoeken kon niet worden geladen", "Laad de pagina opnieuw en probeer het nog eens.", "bewegen", "openen", "sluiten", "Alle {} resultaten tonen", "Alle versies", "Alle secties", "Overal zoeken"])),
    ("pl", words(["Szukaj", "Szukaj w dokumentacji…", "Tytuły, nagłówki, tekst i kod wszystkich stron", "Wyniki: {}", "Wyniki: {}", "Nic nie znaleziono dla {}", "Spróbuj mniej słów lub innych.", "Nie udało się wczytać wyszukiwania", "Odśwież stronę i spróbuj ponownie.", "poruszanie", "otwórz", "zamknij", "Pokaż wszystkie wyniki ({})", "Wszystkie wersje", "Wszystkie sekcje", "Szukaj wszędzie"])),
    ("ru", words(["Поиск", "Искать в документации…", "Названия, заголовки, текст и код всех страниц", "Результатов: {}", "Результатов: {}", "Ничего не найдено: {}", "Попробуйте меньше слов или другие слова.", "Не удалось загрузить поиск", "Обновите страницу и попробуйте снова.", "перейти", "открыть", "закрыть", "Показать все результаты ({})", "Все версии", "Все разделы", "Искать везде"])),
    ("tr", words(["Ara", "Belgelerde ara…", "Tüm sayfaların adları, başlıkları, metni ve kodu", "{} sonuç", "{} sonuç", "{} için sonuç yok", "Daha az ya da başka sözcükler deneyin.", "Arama yüklenemedi", "Sayfayı yenileyip yeniden deneyin.", "gezin", "aç", "kapat", "Tüm {} sonucu göster", "Tüm sürümler", "Tüm bölümler", "Her yerde ara"])),
    ("ja", words(["検索", "ドキュメントを検索…", "すべてのページのタイトル、見出し、本文、コード", "{} 件の結果", "{} 件の結果", "{} は見つかりませんでした", "語を減らすか、別の語をお試しください。", "検索を読み込めませんでした", "ページを再読み込みして、もう一度お試しください。", "移動", "開く", "閉じる", "{} 件の結果をすべて表示", "すべてのバージョン", "すべてのセクション", "すべてを検索"])),
    ("ko", words(["검색", "문서 검색…", "모든 페이지의 제목, 소제목, 본문, 코드", "결과 {}개", "결과 {}개", "{}에 대한 결과가 없습니다", "단어를 줄이거나 다른 단어로 검색해 보세요.", "검색을 불러올 수 없습니다", "페이지를 새로 고친 후 다시 시도하세요.", "이동", "열기", "닫기", "결과 {}개 모두 보기", "모든 버전", "모든 섹션", "전체에서 검색"])),
    ("ar", words(["بحث", "ابحث في الوثائق…", "العناوين والنصوص والشيفرة في كل الصفحات", "النتائج: {}", "النتائج: {}", "لا نتائج لـ {}", "جرّب كلمات أقل أو أخرى.", "تعذّر تحميل البحث", "أعد تحميل الصفحة وحاول مرة أخرى.", "للتنقل", "للفتح", "للإغلاق", "عرض كل النتائج ({})", "كل الإصدارات", "كل الأقسام", "البحث في كل مكان"])),
    ("he", words(["חיפוש", "חיפוש בתיעוד…", "כותרות, טקסט וקוד של כל הדפים", "תוצאות: {}", "תוצאות: {}", "לא נמצא דבר עבור {}", "נסו פחות מילים או מילים אחרות.", "לא ניתן היה לטעון את החיפוש", "טענו את הדף מחדש ונסו שוב.", "מעבר", "פתיחה", "סגירה", "הצגת כל {} התוצאות", "כל הגרסאות", "כל המדורים", "חיפוש בכל מקום"])),
    ("uk", words(["Пошук", "Шукати в документації…", "Назви, заголовки, текст і код усіх сторінок", "Результатів: {}", "Результатів: {}", "Нічого не знайдено: {}", "Спробуйте менше слів або інші слова.", "Не вдалося завантажити пошук", "Оновіть сторінку та спробуйте ще раз.", "перейти", "відкрити", "закрити", "Показати всі результати ({})", "Усі версії", "Усі розділи", "Шукати всюди"])),
    ("vi", words(["Tìm kiếm", "Tìm trong tài liệu…", "Tiêu đề, đề mục, văn bản và mã của mọi trang", "{} kết quả", "{} kết quả", "Không tìm thấy gì cho {}", "Hãy thử ít từ hơn hoặc từ khác.", "Không thể tải tìm kiếm", "Hãy tải lại trang và thử lại.", "di chuyển", "mở", "đóng", "Hiển thị tất cả {} kết quả", "Tất cả phiên bản", "Tất cả các mục", "Tìm ở mọi nơi"])),
    ("id", words(["Cari", "Cari di dokumentasi…", "Judul, subjudul, teks, dan kode semua halaman", "{} hasil", "{} hasil", "Tidak ada hasil untuk {}", "Coba lebih sedikit kata atau kata lain.", "Pencarian tidak dapat dimuat", "Muat ulang halaman dan coba lagi.", "pindah", "buka", "tutup", "Tampilkan semua {} hasil", "Semua versi", "Semua bagian", "Cari di mana saja"])),
    ("sv", words(["Sök", "Sök i dokumentationen…", "Titlar, rubriker, text och kod på alla sidor", "{} träffar", "{} träff", "Inget hittades för {}", "Prova färre eller andra ord.", "Sökningen kunde inte laddas", "Ladda om sidan och försök igen.", "flytta", "öppna", "stäng", "Visa alla {} träffar", "Alla versioner", "Alla avsnitt", "Sök överallt"])),
    ("cs", words(["Hledat", "Hledat v dokumentaci…", "Názvy, nadpisy, text a kód všech stránek", "Výsledky: {}", "Výsledky: {}", "Nic nenalezeno pro {}", "Zkuste méně slov nebo jiná slova.", "Vyhledávání se nepodařilo načíst", "Načtěte stránku znovu a zkuste to ještě jednou.", "pohyb", "otevřít", "zavřít", "Zobrazit všechny výsledky ({})", "Všechny verze", "Všechny sekce", "Hledat všude"])),
    ("zh", words(["搜索", "搜索文档…", "所有页面的标题、小标题、正文和代码", "{} 条结果", "{} 条结果", "未找到与 {} 相关的内容", "请减少或更换关键词。", "无法加载搜索", "请刷新页面后重试。", "移动", "打开", "关闭", "显示全部 {} 条结果", "所有版本", "所有板块", "搜索全部内容"])),
];

/// The words of a language tag; English where we have none.
pub(super) fn of(tag: &str) -> Words {
    let primary = tag.split('-').next().unwrap_or_default();
    TABLE.iter().find(|(code, _)| *code == primary).map_or(ENGLISH, |(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_everything() {
        for (code, words) in TABLE {
            for (own, english) in [(words.prompt, ENGLISH.prompt), (words.idle, ENGLISH.idle), (words.none, ENGLISH.none), (words.advice, ENGLISH.advice), (words.retry, ENGLISH.retry), (words.versions, ENGLISH.versions), (words.sections, ENGLISH.sections), (words.everywhere, ENGLISH.everywhere)] {
                assert!(own != english && !own.is_empty(), "{code}: {own}");
            }
            assert!(words.count.contains("{}") && words.one.contains("{}") && words.none.contains("{}") && words.all.contains("{}"), "{code}");
        }
        for (code, one) in [("en", "{} result"), ("nl", "{} resultaat"), ("sv", "{} träff"), ("de", "{} Treffer"), ("fr", "Résultats : {}")] {
            assert_eq!(of(code).one, one);
        }
        assert_eq!(of("de-AT").search, "Suchen");
        assert_eq!(of("fi").search, "Search");
    }
}
