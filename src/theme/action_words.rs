//! The words of what a reader can do with a page, by language. `{}` stands for the name of a service or a program.

/// What menus and links say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) copy: &'static str,
    pub(super) copied: &'static str,
    /// Name of the button that opens the menu.
    pub(super) more: &'static str,
    pub(super) view: &'static str,
    pub(super) print: &'static str,
    pub(super) spec: &'static str,
    pub(super) assistant: &'static str,
    pub(super) open_in: &'static str,
    pub(super) connect: &'static str,
    pub(super) mcp: &'static str,
    pub(super) add_mcp: &'static str,
    pub(super) edit: &'static str,
    pub(super) issue: &'static str,
    /// To the page before.
    pub(super) back: &'static str,
}

const fn words(w: [&'static str; 14]) -> Words {
    Words {
        copy: w[0], copied: w[1], more: w[2], view: w[3], print: w[4], spec: w[5], assistant: w[6], open_in: w[7], connect: w[8], mcp: w[9],
        add_mcp: w[10], edit: w[11], issue: w[12], back: w[13],
    }
}

const ENGLISH: Words = words([
    "Copy page", "Copied", "More actions", "View as Markdown", "Print or save as PDF", "Download API description", "Ask the assistant", "Open in {}",
    "Connect to {}", "Copy MCP server address", "Copy MCP install command", "Edit this page", "Report a problem", "Go back",
]);

/// By primary language subtag.
const TABLE: [(&str, Words); 19] = [
    ("de", words(["Seite kopieren", "Kopiert", "Weitere Aktionen", "Als Markdown ansehen", "Drucken oder als PDF sichern", "API-Beschreibung herunterladen", "Den Assistenten fragen", "In {} öffnen", "Mit {} verbinden", "Adresse des MCP-Servers kopieren", "MCP-Installationsbefehl kopieren", "Diese Seite bearbeiten", "Ein Problem melden", "Zurück zur vorigen Seite"])),
    ("fr", words(["Copier la page", "Copié", "Autres actions", "Afficher en Markdown", "Imprimer ou enregistrer en PDF", "Télécharger la description de l’API", "Demander à l’assistant", "Ouvrir dans {}", "Connecter à {}", "Copier l’adresse du serveur MCP", "Copier la commande d’installation MCP", "Modifier cette page", "Signaler un problème", "Revenir en arrière"])),
    ("es", words(["Copiar página", "Copiado", "Más acciones", "Ver como Markdown", "Imprimir o guardar como PDF", "Descargar la descripción de la API", "Preguntar al asistente", "Abrir en {}", "Conectar con {}", "Copiar la dirección del servidor MCP", "Copiar el comando de instalación de MCP", "Editar esta página", "Informar de un problema", "Volver atrás"])),
    ("pt", words(["Copiar página", "Copiado", "Mais ações", "Ver como Markdown", "Imprimir ou salvar como PDF", "Baixar a descrição da API", "Perguntar ao assistente", "Abrir no {}", "Conectar ao {}", "Copiar o endereço do servidor MCP", "Copiar o comando de instalação do MCP", "Editar esta página", "Relatar um problema", "Voltar à página anterior"])),
    ("it", words(["Copia pagina", "Copiato", "Altre azioni", "Mostra come Markdown", "Stampa o salva come PDF", "Scarica la descrizione dell’API", "Chiedi all’assistente", "Apri in {}", "Collega a {}", "Copia l’indirizzo del server MCP", "Copia il comando di installazione MCP", "Modifica questa pagina", "Segnala un problema", "Torna indietro"])),
    ("nl", words(["Pagina kopiëren", "Gekopieerd", "Meer acties", "Als Markdown bekijken", "Afdrukken of opslaan als pdf", "API-beschrijving downloaden", "Vraag het de assistent", "Openen in {}", "Verbinden met {}", "Adres van de MCP-server kopiëren", "MCP-installatieopdracht kopiëren", "Deze pagina bewerken", "Een probleem melden", "Terug naar de vorige pagina"])),
    ("pl", words(["Kopiuj stronę", "Skopiowano", "Więcej działań", "Pokaż jako Markdown", "Drukuj lub zapisz jako PDF", "Pobierz opis API", "Zapytaj asystenta", "Otwórz w {}", "Połącz z {}", "Kopiuj adres serwera MCP", "Kopiuj polecenie instalacji MCP", "Edytuj tę stronę", "Zgłoś problem", "Wróć do poprzedniej strony"])),
    ("ru", words(["Скопировать страницу", "Скопировано", "Другие действия", "Открыть как Markdown", "Печать или сохранение в PDF", "Скачать описание API", "Спросить помощника", "Открыть в {}", "Подключить к {}", "Скопировать адрес сервера MCP", "Скопировать команду установки MCP", "Редактировать эту страницу", "Сообщить о проблеме", "Вернуться назад"])),
    ("tr", words(["Sayfayı kopyala", "Kopyalandı", "Diğer işlemler", "Markdown olarak görüntüle", "Yazdır veya PDF olarak kaydet", "API tanımını indir", "Asistana sor", "{} ile aç", "{} ile bağlan", "MCP sunucusunun adresini kopyala", "MCP kurulum komutunu kopyala", "Bu sayfayı düzenle", "Sorun bildir", "Geri dön"])),
    ("ja", words(["ページをコピー", "コピーしました", "その他の操作", "Markdown で表示", "印刷または PDF として保存", "API 定義をダウンロード", "アシスタントに質問", "{} で開く", "{} に接続", "MCP サーバーのアドレスをコピー", "MCP インストールコマンドをコピー", "このページを編集", "問題を報告", "前のページに戻る"])),
    ("ko", words(["페이지 복사", "복사됨", "추가 작업", "Markdown으로 보기", "인쇄 또는 PDF로 저장", "API 명세 다운로드", "어시스턴트에게 질문", "{}에서 열기", "{}에 연결", "MCP 서버 주소 복사", "MCP 설치 명령 복사", "이 페이지 편집", "문제 신고", "이전 페이지로 돌아가기"])),
    ("ar", words(["نسخ الصفحة", "تم النسخ", "إجراءات أخرى", "عرض بصيغة Markdown", "طباعة أو حفظ بصيغة PDF", "تنزيل وصف الواجهة البرمجية", "اسأل المساعد", "فتح في {}", "الاتصال بـ {}", "نسخ عنوان خادم MCP", "نسخ أمر تثبيت MCP", "تحرير هذه الصفحة", "الإبلاغ عن مشكلة", "العودة إلى الصفحة السابقة"])),
    ("he", words(["העתקת הדף", "הועתק", "פעולות נוספות", "הצגה כ־Markdown", "הדפסה או שמירה כ־PDF", "הורדת תיאור ה־API", "שאלו את העוזר", "פתיחה ב־{}", "חיבור אל {}", "העתקת כתובת שרת ה־MCP", "העתקת פקודת ההתקנה של MCP", "עריכת דף זה", "דיווח על בעיה", "חזרה לדף הקודם"])),
    ("uk", words(["Скопіювати сторінку", "Скопійовано", "Інші дії", "Переглянути як Markdown", "Друк або збереження в PDF", "Завантажити опис API", "Запитати помічника", "Відкрити в {}", "Під’єднати до {}", "Скопіювати адресу сервера MCP", "Скопіювати команду встановлення MCP", "Редагувати цю сторінку", "Повідомити про проблему", "Повернутися назад"])),
    ("vi", words(["Sao chép trang", "Đã sao chép", "Thao tác khác", "Xem dạng Markdown", "In hoặc lưu thành PDF", "Tải mô tả API", "Hỏi trợ lý", "Mở trong {}", "Kết nối với {}", "Sao chép địa chỉ máy chủ MCP", "Sao chép lệnh cài đặt MCP", "Sửa trang này", "Báo cáo sự cố", "Quay lại trang trước"])),
    ("id", words(["Salin halaman", "Tersalin", "Tindakan lain", "Lihat sebagai Markdown", "Cetak atau simpan sebagai PDF", "Unduh deskripsi API", "Tanya asisten", "Buka di {}", "Hubungkan ke {}", "Salin alamat server MCP", "Salin perintah pemasangan MCP", "Sunting halaman ini", "Laporkan masalah", "Kembali ke halaman sebelumnya"])),
    ("sv", words(["Kopiera sidan", "Kopierad", "Fler åtgärder", "Visa som Markdown", "Skriv ut eller spara som PDF", "Ladda ner API-beskrivningen", "Fråga assistenten", "Öppna i {}", "Anslut till {}", "Kopiera MCP-serverns adress", "Kopiera MCP-installationskommandot", "Redigera den här sidan", "Rapportera ett problem", "Gå tillbaka"])),
    ("cs", words(["Kopírovat stránku", "Zkopírováno", "Další akce", "Zobrazit jako Markdown", "Vytisknout nebo uložit jako PDF", "Stáhnout popis API", "Zeptat se asistenta", "Otevřít v {}", "Připojit k {}", "Kopírovat adresu serveru MCP", "Kopírovat příkaz k instalaci MCP", "Upravit tuto stránku", "Nahlásit problém", "Zpět na předchozí stránku"])),
    ("zh", words(["复制页面", "已复制", "更多操作", "以 Markdown 查看", "打印或另存为 PDF", "下载 API 描述", "询问助手", "在 {} 中打开", "连接到 {}", "复制 MCP 服务器地址", "复制 MCP 安装命令", "编辑此页", "报告问题", "返回上一页"])),
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
    fn words_follow_the_language() {
        assert_eq!((of("de").copy, of("pt-BR").copied, of("fi").copy), ("Seite kopieren", "Copiado", "Copy page"));
        for (code, words) in TABLE {
            assert!(words.open_in.contains("{}") && words.connect.contains("{}"), "{code}");
            assert!(words.copy != ENGLISH.copy && words.issue != ENGLISH.issue && words.back != ENGLISH.back, "{code}");
        }
    }
}
