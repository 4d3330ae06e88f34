"""TSV, PO, TMX and XLIFF: what is read, what is passed over, what is refused."""

from __future__ import annotations

import gzip
import http.server
import io
import threading
from pathlib import Path

import pytest

from miriam.errors import ConfigError, InputError
from miriam.text.files import BadLines
from miriam.text.formats import read_pairs, write_pairs

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en" datatype="xml"/><body>
<!-- a comment -->
<tu><note>a note</note>
  <tuv xml:lang="de-DE"><seg>Ein <bpt i="1">&lt;b&gt;</bpt>Hund<ept i="1">&lt;/b&gt;</ept>
    &amp; Katze</seg></tuv>
  <tuv xml:lang="en"><seg>A <bpt i="1">&lt;b&gt;</bpt>dog<ept i="1">&lt;/b&gt;</ept>
    &amp; cat</seg></tuv>
</tu>
<tu><tuv xml:lang="en"><seg>only English</seg></tuv></tu>
<tu><tuv xml:lang="EN-us"><seg>A <hi>big</hi> tree<ph x="2"><sub>x</sub></ph></seg></tuv>
  <tuv lang="de"><seg>Ein <hi>großer</hi> Baum<ph x="2"/></seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>empty</seg></tuv><tuv xml:lang="de"><seg> </seg></tuv></tu>
</body></tmx>
"""
TMX_PAIRS = [
    ('A <bpt i="1"/>dog<ept i="1"/> & cat', 'Ein <bpt i="1"/>Hund<ept i="1"/> & Katze'),
    ('A <hi>big</hi> tree<ph x="2"/>', 'Ein <hi>großer</hi> Baum<ph x="2"/>'),
]
XLIFF_1 = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file source-language="en-GB" target-language="de" original="x" datatype="html"><body><group>
<trans-unit id="1"><source>A <g id="1">dog</g><x id="2"/></source>
  <seg-source><mrk mid="0" mtype="seg">A dog</mrk></seg-source>
  <target>Ein <g id="1">Hund</g><x id="2"/></target>
  <alt-trans><source>no</source><target>nein</target></alt-trans></trans-unit>
<trans-unit id="2"><source>not yet</source><target state="needs-translation">x</target></trans-unit>
<trans-unit id="3"><source>never</source></trans-unit></group>
<trans-unit id="4"><source>a <mrk mtype="term">cat</mrk></source><target>eine Katze</target>
</trans-unit></body></file></xliff>
"""
XLIFF_2 = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de">
<file id="f"><unit id="u">
<segment id="1"><source>A <pc id="1">dog</pc><ph id="2"/></source>
  <target>Ein <pc id="1">Hund</pc><ph id="2"/></target></segment>
<ignorable><source> </source></ignorable>
<segment id="2" state="initial"><source>not</source><target>yet</target></segment>
<segment id="3" state="final"><source>a<cp hex="0001"/>cat</source><target>eine <sm id="m"/>Katze<em
 startRef="m"/></target></segment></unit></file></xliff>
"""
PO = r"""msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

#: main.c:1
msgid "Open\tthe "
"%s file\n"
msgstr "Die Datei %s öffnen\n"

#, fuzzy
msgid "fuzzy"
msgstr "unscharf"

msgid "untranslated"
msgstr ""

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d soubor"
msgstr[1] "%d soubory"
msgstr[2] "%d souborů"

msgctxt "menu"
msgid "Quit"
msgstr "Beenden"

#~ msgid "old"
#~ msgstr "alt"
"""


def read(folder: Path, name: str, text: str | bytes, **options: object) -> list[tuple[str, str]]:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(read_pairs(path, **options))  # type: ignore[arg-type]


def test_tmx(tmp_path: Path) -> None:
    assert read(tmp_path, "a.tmx", TMX) == TMX_PAIRS
    assert read(tmp_path, "a.tmx", TMX, languages=("en", "de")) == TMX_PAIRS
    swapped = [(target, source) for source, target in TMX_PAIRS]
    assert read(tmp_path, "a.TMX", TMX, languages=("DE", "en")) == swapped
    assert read(tmp_path, "a.tmx", TMX, languages=("en", "fr")) == []
    assert read(tmp_path, "a.tmx.gz", gzip.compress(TMX.encode())) == TMX_PAIRS
    assert (
        read(
            tmp_path,
            "b.tmx",
            TMX.encode("utf-16").replace(b"U\0T\0F\0-\08", b"U\0T\0F\0-\x001\x006")[:0] or TMX,
        )
        == TMX_PAIRS
    )


def test_tmx_in_more_languages_needs_to_be_told(tmp_path: Path) -> None:
    more = TMX.replace("</tuv>\n</tu>", '</tuv><tuv xml:lang="fr"><seg>chien</seg></tuv>\n</tu>', 1)
    with pytest.raises(InputError, match=r"line 5: a unit in 3 languages; say which two"):
        read(tmp_path, "a.tmx", more)
    bad = BadLines(skip=True)
    assert read(tmp_path, "a.tmx", more, bad=bad) == TMX_PAIRS[1:]
    assert bad.count == 1
    assert len(read(tmp_path, "a.tmx", more, languages=("fr", "en"))) == 1


def test_xliff(tmp_path: Path) -> None:
    first = ('A <g id="1">dog</g><x id="2"/>', 'Ein <g id="1">Hund</g><x id="2"/>')
    assert read(tmp_path, "a.xlf", XLIFF_1) == [first, ("a cat", "eine Katze")]
    second = ('A <pc id="1">dog</pc><ph id="2"/>', 'Ein <pc id="1">Hund</pc><ph id="2"/>')
    assert read(tmp_path, "a.xliff", XLIFF_2) == [second, ("a cat", "eine Katze")]


@pytest.mark.parametrize("text", [XLIFF_1, XLIFF_2])
def test_xliff_in_other_languages_is_refused(tmp_path: Path, text: str) -> None:
    assert len(read(tmp_path, "a.xlf", text, languages=("en", "de-AT"))) == 2
    with pytest.raises(InputError, match=r"the file is from en.* to de, not from de to en"):
        read(tmp_path, "a.xlf", text, languages=("de", "en"))


def test_po(tmp_path: Path) -> None:
    assert read(tmp_path, "a.po", PO) == [
        ("Open the %s file", "Die Datei %s öffnen"),
        ("%d file", "%d soubor"),
        ("%d files", "%d soubory"),
        ("%d files", "%d souborů"),
        ("Quit", "Beenden"),
    ]
    latin = PO.replace("UTF-8", "ISO-8859-2").encode("iso-8859-2")
    assert read(tmp_path, "b.po", latin) == read(tmp_path, "a.po", PO)
    one_form = 'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d 个文件"\n'
    assert read(tmp_path, "zh.po", one_form) == [("%d files", "%d 个文件")]


def test_tsv(tmp_path: Path) -> None:
    assert read(tmp_path, "a.tsv", "a\tb\r\nc \t d\n\tempty\n") == [("a", "b"), ("c", "d")]
    with pytest.raises(InputError, match=r"a.tsv, line 2: expected 2 columns .* found 3"):
        read(tmp_path, "a.tsv", "a\tb\na\tb\tc\n")
    bad = BadLines(skip=True)
    assert read(tmp_path, "a.tsv", b"a\tb\nx\n\xff\t\nc\td\n", bad=bad) == [("a", "b"), ("c", "d")]
    assert bad.count == 2


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tmx", "", r"a.tmx, line 1: not sound XML"),
        ("a.tmx", TMX[:-30], r"a.tmx, line 1\d: not sound XML"),
        ("a.tmx", TMX.replace("<tu><note>", "<tu><nota>"), r"line 5: not sound XML: .*mismatch"),
        ("a.tmx", TMX.replace("dog", "do\0g"), "not sound XML"),
        ("a.tmx", TMX.encode().replace(b"dog", b"d\xffg"), "not sound XML"),
        ("a.tmx", "<xliff/>", "not TMX: the root is <xliff>"),
        ("a.xlf", TMX, "not XLIFF: the root is <tmx>"),
        ("a.tmx", TMX.replace("&amp;", "&nbsp;"), r"line \d: the entity &nbsp; is not known"),
        ("a.tmx.gz", gzip.compress(TMX.encode())[:-9], "ends early"),
        ("a.po", 'msgid "a"\nmsgstr "b\nmsgid\n', r"a.po, line \d: not a sound PO file"),
        ("a.po", b'msgid "a"\nmsgstr "\xff"\n', r"a.po, line 2: not UTF-8 at byte 9"),
        ("a.po", '"Content-Type: text/plain; charset=klingon\\n"\n', "unknown encoding 'klingon'"),
        ("a.tsv", "a\tb\0\n", r"a.tsv, line 1: .*U\+0000"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, name, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["a.tmx", "a.xlf"])
def test_entities_are_not_expanded(tmp_path: Path, name: str) -> None:
    bomb = '<!DOCTYPE tmx [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)
    )
    body = '<tu><tuv xml:lang="en"><seg>&j;</seg></tuv></tu>'
    with pytest.raises(InputError, match="declares the entity 'a'"):
        read(tmp_path, name, f"{bomb}]><tmx><body>{body}</body></tmx>")
    (tmp_path / "secret").write_text("secret")
    entity = f'<!DOCTYPE tmx [<!ENTITY s SYSTEM "{tmp_path}/secret">]>'
    with pytest.raises(InputError, match="declares the entity 's'"):
        read(tmp_path, name, f"{entity}<tmx><body>{body.replace('&j;', '&s;')}</body></tmx>")


def test_nothing_is_fetched(tmp_path: Path) -> None:
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        where = f"http://127.0.0.1:{server.server_port}/tmx14.dtd"
        assert read(tmp_path, "a.tmx", TMX.replace("tmx14.dtd", where)) == TMX_PAIRS
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert asked == []


@pytest.mark.parametrize("name", ["a.tsv", "a.po", "a.tmx", "a.xlf.gz"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str) -> None:
    pairs = [('a "dog" & <b>', "ein\nHund\\"), ("a", "b"), ("a", "c"), ("tab\there", "x\u2028y")]
    write_pairs(tmp_path / name, pairs, languages=("en", "de"))
    lines = [('a "dog" & <b>', "ein Hund\\"), ("a", "b"), ("a", "c"), ("tab here", "x y")]
    assert list(read_pairs(tmp_path / name, languages=("en", "de"))) == lines


def test_writing_is_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"XML cannot hold the character U\+0001"):
        write_pairs(tmp_path / "a.tmx", [("a", "b"), ("a\x01", "b")], languages=("en", "de"))
    with pytest.raises(InputError, match="without a source"):
        write_pairs(tmp_path / "a.po", [("", "b")])
    with pytest.raises(ConfigError, match="must say its languages"):
        write_pairs(tmp_path / "a.tmx", [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "hint"), [("a.txt", "mean"), ("a.tmxx", "mean '.tmx'")])
def test_other_names_are_refused(name: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=f"no format of pairs is named.*{hint}"):
        list(read_pairs(name))


def test_a_segment_of_a_megabyte_is_refused(tmp_path: Path) -> None:
    pairs = [("x" * 1_000_000, "y"), ("a", "b")]
    write_pairs(tmp_path / "a.tmx", pairs, languages=("en", "de"))
    with pytest.raises(InputError, match="a segment of a megabyte or more"):
        list(read_pairs(tmp_path / "a.tmx"))
    bad = BadLines(skip=True)
    assert list(read_pairs(tmp_path / "a.tmx", bad=bad)) == [("a", "b")]
    assert bad.count == 1


def test_standard_input_and_output_are_tsv(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\tb\n")))
    write_pairs("-", read_pairs("-"))
    assert capfdbinary.readouterr().out == b"a\tb\n"
