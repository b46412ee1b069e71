#!/usr/bin/env python3
"""page.py SERVER [FOLDER]: checks the page of a server in headless Chromium; puts pictures into the folder."""

import sys
import time

from browser import Browser
from served import Served



def texts(column=None):
    cell = f"line.cells[{column}]?.firstChild.textContent" if column is not None else "line.textContent"
    return f"[...document.querySelectorAll('tbody tr:not(.gone)')].map(line => {cell}).join()"


def check(browser, served, folder):
    def picture(name):
        # Rows that still move make a picture that nobody can read.
        if folder:
            time.sleep(1.5)
            browser.picture(folder + "/" + name)

    browser.open(served.url)
    browser.wait(f"{texts(1)} == 'Ada,Ben,Cleo'", "the rows of the first class")
    browser.wait("document.querySelector('#classes button').getAttribute('aria-label') == 'Dog, 3 objects'")

    # Rows come, change, move and go; what is markup in data stays text.
    browser.value("follow('Dog sort(age)')")
    browser.wait(f"{texts(1)} == 'Ada,Ben,Cleo'")
    browser.value("document.querySelectorAll('tbody tr')[2].mark = true")
    served.write('add Dog { id: 4, name: "<b>Dot</b>", age: 0, breed: "Pug" }')
    browser.wait(f"{texts(1)} == '<b>Dot</b>,Ada,Ben,Cleo'")
    assert browser.value("document.querySelectorAll('tbody b').length") == 0
    assert browser.value("document.querySelector('tbody tr').classList.contains('come')")
    served.write("set Dog#3.age = -1")
    browser.wait(f"{texts(1)} == 'Cleo,<b>Dot</b>,Ada,Ben'")
    assert browser.value("document.querySelector('tbody tr').mark"), "a row that moves is the same row"
    assert browser.value("document.querySelector('tbody tr').cells[2].classList.contains('change')")
    served.write("delete Dog#4")
    browser.wait(f"{texts(1)} == 'Cleo,Ada,Ben'")

    # The query line, by keyboard alone.
    browser.value("document.activeElement.blur()")
    browser.key("/", "/")
    assert browser.value("document.activeElement.id") == "query"
    browser.value("document.getElementById('query').select()")
    browser.type("Do")
    browser.wait("document.querySelector('#completions li')?.textContent == 'Dog'")
    browser.key("Tab")
    browser.wait("document.getElementById('query').value == 'Dog '")
    browser.type("where agee > 1")
    browser.wait("true")
    browser.key("Escape")
    browser.key("Enter")
    error = browser.wait("document.getElementById('error').hidden ? '' : document.getElementById('error').textContent")
    assert error.endswith("class 'Dog' has no property 'agee'; did you mean 'age'?"), error
    assert "\n          ^\n" in error, error

    # Groups as bars, a value as a number with its line.
    browser.value("follow('group Dog by breed { n: @count }')")
    browser.wait(f"{texts()} == 'Pug3'")
    assert browser.value("document.querySelector('.bar').style.width") == "100%"
    browser.value("follow('value (Dog).@sum.age')")
    browser.wait("document.querySelector('.value')?.textContent == '2'")
    served.write("set Dog#1.age = 11")
    browser.wait("document.querySelector('.value').textContent == '12'")
    browser.wait("document.querySelector('svg path').getAttribute('d').includes('V')")
    picture("page-value.png")
    browser.value("follow('Dog sections by breed')")
    browser.wait(f"{texts()}.startsWith('Pug (3)')")

    # Versions, the history of a row, undo.
    browser.value("follow('Dog sort(age)')")
    browser.wait(f"{texts(2)} == '-1,2,11'")
    browser.wait("document.getElementById('version').max == 6")
    browser.value("const slider = document.getElementById('version'); slider.value = 1; slider.oninput()")
    browser.wait(f"{texts(2)} == '1,2,3'", "the rows of version 2")
    assert "version 2" in browser.value("document.getElementById('moment').textContent")
    browser.value("document.getElementById('now').click()")
    browser.wait(f"{texts(2)} == '-1,2,11'")
    browser.value("[...document.querySelectorAll('tbody tr:not(.gone)')][2].focus()")
    browser.key("Enter")
    browser.wait("document.getElementById('changes').textContent.includes('age: 1 → 11')")
    picture("page.png")
    browser.value("document.getElementById('undo').click()")
    browser.wait(f"{texts(2)} == '-1,1,2'", "the last commit undone")

    # Everything that can be used has a name.
    for role, name in browser.names():
        if role in ("button", "textbox", "combobox", "slider", "listbox", "table", "row", "image"):
            assert name or role == "row", f"a {role} without a name"

    # 400 pixels: nothing is cut off.
    browser.resize(400, 800)
    browser.wait("document.documentElement.scrollWidth <= 400")
    picture("page-narrow.png")
    assert not browser.errors or all("400 (Bad Request)" in error for error in browser.errors), browser.errors


def main():
    program = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else None
    for dark in (False, True):
        served = Served(program)
        names = ["Ada", "Ben", "Cleo"]
        served.write("class Dog { id: int primary; name: string; age: int; breed: string }")
        served.write("; ".join(
            f'add Dog {{ id: {n}, name: "{name}", age: {n}, breed: "Pug" }}' for n, name in enumerate(names, 1)))
        browser = Browser(dark=dark)
        try:
            check(browser, served, folder if not dark else None)
            if dark and folder:
                browser.resize(1100, 800)
                browser.picture(folder + "/page-dark.png")
        finally:
            browser.close()
            served.close()
    print("the page: all checks passed")


main()
