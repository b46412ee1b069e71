#!/usr/bin/env python3
"""realm-file.py FILE [OBJECTS]: makes a Realm file of format 24 with OBJECTS (1,000,000) objects of a class Dog, which has
ten properties, and a tenth as many of a class Person, for measurements. The same numbers make the same file."""
import struct
import sys

INNER, REFS, MULTIPLY, BYTES = 0x80, 0x40, 0x08, 0x10
NO_TARGET, NO_ORIGIN = 0x7FFFFFFF, 0x7FFFFFFFFFFFFFFF


class Builder:
    def __init__(self):
        self.parts = [bytes(24)]
        self.size = 24

    def node(self, flags, width, count, payload):
        ref = self.size
        code = width.bit_length()
        data = b"AAAA" + bytes([flags | code]) + count.to_bytes(3, "big") + payload
        data += bytes(-len(data) % 8)
        self.parts.append(data)
        self.size += len(data)
        return ref

    def integers(self, values, flags=0):
        low, high = min(values, default=0), max(values, default=0)
        if low >= 0 and high < 16:
            width = 0 if high == 0 else 1 if high == 1 else 2 if high < 4 else 4
            bits = 0
            for index, value in enumerate(values):
                bits |= value << (index * width)
            return self.node(flags, width, len(values), bits.to_bytes((len(values) * width + 7) // 8, "little"))
        for width, code in ((8, "b"), (16, "h"), (32, "i"), (64, "q")):
            if -(1 << width - 1) <= low and high < 1 << width - 1:
                return self.node(flags, width, len(values), struct.pack(f"<{len(values)}{code}", *values))
        raise ValueError("an integer has at most 64 bits")

    def array(self, slots, flags=0):
        return self.integers(slots, flags | REFS)

    def strings(self, texts):
        longest = max(len(text.encode()) + 1 for text in texts)
        if longest > 64:
            raise ValueError("a short string has at most 63 bytes")
        width = next(width for width in (1, 2, 4, 8, 16, 32, 64) if width >= longest)
        fields = []
        for text in texts:
            content = text.encode()
            fields.append(content + bytes(width - 1 - len(content)) + bytes([width - 1 - len(content)]))
        return self.node(MULTIPLY, width, len(texts), b"".join(fields))

    def medium(self, texts):
        content, ends, size = [], [], 0
        for text in texts:
            if text is not None:
                content.append(text.encode() + b"\0")
                size += len(content[-1])
            ends.append(size)
        blob = b"".join(content)
        return self.array([
            self.integers(ends), self.node(BYTES, 0, len(blob), blob),
            self.integers([int(text is None) for text in texts])])

    def doubles(self, values):
        return self.node(MULTIPLY, 8, len(values), struct.pack(f"<{len(values)}d", *values))

    def uuids(self, numbers):
        payload = b""
        for start in range(0, len(numbers), 8):
            block = numbers[start:start + 8]
            payload += b"\0" + b"".join(number.to_bytes(16, "big") for number in block)
        return self.node(MULTIPLY, 1, len(payload), payload)

    def tree(self, leaves, counts):
        """The B+ tree over leaves with these numbers of objects, all of 256 but for the last."""
        depth = 1
        while len(leaves) > 1:
            above, numbers = [], []
            for start in range(0, len(leaves), 256):
                children = leaves[start:start + 256]
                numbers.append(sum(counts[start:start + 256]))
                above.append(self.array([0, depth << 1 | 1, numbers[-1] << 1 | 1] + children, INNER))
            leaves, counts, depth = above, numbers, depth + 1
        return leaves[0]

    def table(self, columns, clusters, key, primary_key=None):
        """Columns are tuples of name, type, attributes and the table that links lead to."""
        keys = [
            index | kind << 16 | attributes << 22 | index + 1 << 30
            for index, (_, kind, attributes, _) in enumerate(columns)]
        spec = self.array([
            self.integers([column[1] for column in columns]), self.strings([column[0] for column in columns]),
            self.integers([column[2] for column in columns]), 0, 0, self.integers(keys)])
        targets = self.integers([NO_TARGET if column[3] is None else column[3] for column in columns])
        origins = self.integers([NO_ORIGIN] * len(columns))
        primary = 0 if primary_key is None else keys[primary_key] << 1 | 1
        return self.array([
            spec, 0, clusters, key << 1 | 1, 0, len(columns) << 1 | 1, 1, targets, origins, 1, 0, primary, 1])

    def write(self, path, tables):
        names = self.strings([name for name, _ in tables])
        refs = self.array([ref for _, ref in tables])
        top = self.array([names, refs, self.size << 1 | 1])
        self.parts[0] = struct.pack("<QQ", top, 0) + b"T-DB" + bytes([24, 24, 0, 0])
        with open(path, "wb") as file:
            file.write(b"".join(self.parts))


def main():
    path, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    people = max(1, count // 10)
    builder = Builder()

    def clusters(count, columns):
        leaves, counts = [], []
        for start in range(0, count, 256):
            numbers = range(start, min(start + 256, count))
            leaves.append(builder.array([len(numbers) << 1 | 1] + [column(numbers) for column in columns]))
            counts.append(len(numbers))
        return builder.tree(leaves, counts)

    dogs = clusters(count, [
        lambda numbers: builder.integers(list(numbers)),
        lambda numbers: builder.strings([f"Dog {number * 7919 % 99991}" for number in numbers]),
        lambda numbers: builder.integers([number * 31 % 17 for number in numbers]),
        lambda numbers: builder.doubles([number * 37 % 4999 / 100 for number in numbers]),
        lambda numbers: builder.array([
            builder.integers([-1] + [1_500_000_000 + number * 61 for number in numbers]),
            builder.integers([0] * len(numbers))]),
        lambda numbers: builder.integers([number % 3 % 2 for number in numbers]),
        lambda numbers: builder.medium([
            None if number % 5 == 0 else f"a note of some words about dog number {number}" for number in numbers]),
        lambda numbers: builder.uuids([number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % (1 << 128) for number in numbers]),
        lambda numbers: builder.integers([number * 17 % people + 1 for number in numbers]),
        lambda numbers: builder.integers([-1] + [-1 if number % 4 == 0 else number % 1000 for number in numbers]),
    ])
    persons = clusters(people, [
        lambda numbers: builder.strings([f"Person {number}" for number in numbers]),
    ])
    dog = builder.table(
        [("id", 0, 0, None), ("name", 2, 0, None), ("age", 0, 0, None), ("weight", 10, 0, None),
         ("born", 8, 0, None), ("vaccinated", 1, 0, None), ("note", 2, 16, None), ("chip", 17, 0, None),
         ("owner", 12, 16, 1), ("rank", 0, 16, None)],
        dogs, 0, primary_key=0)
    person = builder.table([("name", 2, 0, None)], persons, 1)
    builder.write(path, [("class_Dog", dog), ("class_Person", person)])


main()
