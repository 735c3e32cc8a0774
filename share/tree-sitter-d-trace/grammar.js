// SPDX-License-Identifier: Apache-2.0
// D scripts (dtrace(8)) for tree-sitter.
//
// At program scope words are descriptions of probes or the beginning of declarations.  The
// token `pattern` is what can only be a description: it has a colon, a dash or a wildcard.
// A plain word is one if a {, a / or a comma follows.
//
// The slash that closes a predicate is told from a division by what follows it
// (src/scanner.c), as dtrace does it.

const BINARY = [
  ["||", 1], ["^^", 2], ["&&", 3], ["|", 4], ["^", 5], ["&", 6],
  ["==", 7], ["!=", 7], ["<", 8], [">", 8], ["<=", 8], [">=", 8],
  ["<<", 9], [">>", 9], ["+", 10], ["-", 10], ["*", 11], ["/", 11], ["%", 11],
];
const ASSIGN = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>="];
const PREC = { COMMA: -3, ASSIGN: -2, TERNARY: -1, UNARY: 12, CAST: 12, POSTFIX: 13 };

const separated = (rule) => seq(rule, repeat(seq(",", rule)));

module.exports = grammar({
  name: "d_trace",

  extras: ($) => [/\s/, /\\\r?\n/, $.comment, $.directive],
  externals: ($) => [$._predicate_end],
  word: ($) => $.identifier,
  conflicts: ($) => [
    [$._expression, $.type_name],
  ],

  rules: {
    program: ($) => repeat($._element),
    _element: ($) => choice(
      $.clause, $.declaration, $.function_definition, $.inline_definition,
      $.translator_definition, $.provider_definition, ";",
    ),

    // ----------------------------------------------------------- clauses
    clause: ($) => seq(separated($.description), optional($.predicate), $.block),
    description: ($) => choice($.pattern, $.identifier, $.number, $.macro),
    pattern: () => token(choice(
      /[A-Za-z0-9_$*?.!+`\\-]*(\[[^\]:\n]*\][A-Za-z0-9_$*?.!+`\\-]*)*:([A-Za-z0-9_$*?.!+`:\\-]|\\.|\[[^\]:\n]*\])*/,
      /[A-Za-z_][A-Za-z0-9_]*[-$][A-Za-z0-9_$*?-]+/,
    )),
    predicate: ($) => seq("/", field("condition", $._comma_expression), alias($._predicate_end, "/")),
    block: ($) => seq("{", repeat($._statement), "}"),

    // -------------------------------------------------------- statements
    _statement: ($) => choice(
      $.block, $.if_statement, $.while_statement, $.do_statement, $.for_statement,
      $.jump_statement, $.local_declaration, $.expression_statement, ";",
    ),
    // the ; may be missing at the end of a block
    expression_statement: ($) => prec.right(seq($._comma_expression, optional(";"))),
    if_statement: ($) => prec.right(seq(
      "if", "(", field("condition", $._comma_expression), ")", $._statement,
      optional(seq("else", $._statement)),
    )),
    while_statement: ($) => seq("while", "(", $._comma_expression, ")", $._statement),
    do_statement: ($) => seq("do", $._statement, "while", "(", $._comma_expression, ")", ";"),
    for_statement: ($) => seq(
      "for", "(", choice($.local_declaration, seq(optional($._comma_expression), ";")),
      optional($._comma_expression), ";", optional($._comma_expression), ")", $._statement,
    ),
    jump_statement: ($) => prec.right(seq(
      choice("break", "continue", seq("return", optional($._comma_expression))), optional(";"),
    )),
    local_declaration: ($) => seq(
      $.type, separated(seq($._declarator, optional(seq("=", $._expression)))), ";",
    ),

    // ------------------------------------------------------- expressions
    _comma_expression: ($) => choice($._expression, $.comma_expression),
    comma_expression: ($) => prec.left(PREC.COMMA, seq(
      choice($._expression, $.comma_expression), ",", $._expression,
    )),
    _expression: ($) => choice(
      $.identifier, $.scope, $.number, $.string, $.character, $.macro, $.symbol, $.aggregation,
      $.parenthesized_expression, $.assignment, $.conditional_expression, $.binary_expression,
      $.unary_expression, $.update_expression, $.cast_expression, $.sizeof_expression,
      $.offsetof_expression, $.translation, $.call, $.subscript, $.member_expression,
    ),
    parenthesized_expression: ($) => seq("(", $._comma_expression, ")"),
    assignment: ($) => prec.right(PREC.ASSIGN, seq(
      field("left", $._expression), field("operator", choice(...ASSIGN)), field("right", $._expression),
    )),
    conditional_expression: ($) => prec.right(PREC.TERNARY, seq(
      $._expression, "?", $._comma_expression, ":", $._expression,
    )),
    binary_expression: ($) => choice(...BINARY.map(([operator, level]) =>
      prec.left(level, seq($._expression, field("operator", operator), $._expression)))),
    unary_expression: ($) => prec.right(PREC.UNARY, seq(
      field("operator", choice("!", "~", "-", "+", "*", "&", "stringof")), $._expression,
    )),
    update_expression: ($) => choice(
      prec.right(PREC.UNARY, seq(choice("++", "--"), $._expression)),
      prec.left(PREC.POSTFIX, seq($._expression, choice("++", "--"))),
    ),
    cast_expression: ($) => prec.dynamic(1, prec.right(PREC.CAST, seq("(", $.type_descriptor, ")", $._expression))),
    sizeof_expression: ($) => prec.right(PREC.UNARY, seq(
      "sizeof", choice($._expression, prec.dynamic(1, seq("(", $.type_descriptor, ")"))),
    )),
    offsetof_expression: ($) => seq("offsetof", "(", $.type_descriptor, ",", $._expression, ")"),
    translation: ($) => prec(PREC.POSTFIX, seq(
      "xlate", "<", $.type_descriptor, ">", "(", $._comma_expression, ")",
    )),
    call: ($) => prec(PREC.POSTFIX, seq(field("function", $.identifier), $.arguments)),
    arguments: ($) => seq("(", optional(separated($._expression)), ")"),
    subscript: ($) => prec(PREC.POSTFIX, seq($._expression, "[", separated($._expression), "]")),
    member_expression: ($) => prec(PREC.POSTFIX, seq(
      field("object", $._expression), choice(".", "->"),
      field("member", alias($.identifier, $.member)),
    )),
    scope: () => choice("self", "this"),
    aggregation: () => token(seq("@", /[A-Za-z_]?[A-Za-z0-9_]*/)),
    macro: () => token(/\$\$?[A-Za-z0-9_]+/),
    symbol: () => token(/([A-Za-z0-9_][A-Za-z0-9_.]*)?`+([A-Za-z0-9_.]+`)?[A-Za-z_][A-Za-z0-9_]*/),

    // ------------------------------------------------------ declarations
    declaration: ($) => choice(
      seq(repeat($._storage), $.type, separated($._declarator), ";"),
      seq(choice($.struct_type, $.enum_type), ";"),
    ),
    _storage: ($) => choice("typedef", "extern", "static", $.scope),
    function_definition: ($) => seq(
      choice(repeat($._storage), seq(optional("static"), "inline")), $.type, $._declarator, $.block,
    ),
    inline_definition: ($) => seq(
      "inline", $.type, $._declarator, "=", $._expression, ";",
    ),
    translator_definition: ($) => seq(
      "translator", $.type_descriptor, "<", $.type, repeat("*"), field("parameter", $.identifier), ">",
      "{", repeat(seq(field("member", alias($.identifier, $.member)), "=", $._expression, ";")), "}", ";",
    ),
    provider_definition: ($) => seq(
      "provider", field("name", $.identifier), "{", repeat($.probe_definition), "}", ";",
    ),
    probe_definition: ($) => seq(
      "probe", field("name", $.identifier), $.parameters, optional(seq(":", $.parameters)),
      optional(seq("{", repeat($.clause), "}")), ";",
    ),

    type: ($) => prec.right(seq(
      repeat($.qualifier),
      choice(repeat1($.primitive_type), $.struct_type, $.enum_type, $.type_name),
      repeat($.qualifier),
    )),
    type_name: ($) => prec.dynamic(-1, choice($.identifier, $.symbol)),
    primitive_type: () => choice(
      "char", "short", "int", "long", "float", "double", "void", "signed", "unsigned", "string",
    ),
    qualifier: () => choice("const", "volatile", "restrict", "userland"),
    struct_type: ($) => prec.right(seq(
      choice("struct", "union"), optional(field("tag", choice($.identifier, $.symbol))),
      optional(seq("{", repeat($.member_declaration), "}")),
    )),
    member_declaration: ($) => seq(
      choice(
        seq($.type, separated(choice(seq($._declarator, optional(seq(":", $._expression))), seq(":", $._expression)))),
        $.struct_type,
      ), ";",
    ),
    enum_type: ($) => prec.right(seq(
      "enum", optional(field("tag", $.identifier)),
      optional(seq("{", separated($.enumerator), optional(","), "}")),
    )),
    enumerator: ($) => seq($.identifier, optional(seq("=", $._expression))),
    // without a name: casts, sizeof, prototypes
    type_descriptor: ($) => seq($.type, repeat(choice("*", $.qualifier)), optional($._abstract_suffix)),
    _abstract_suffix: ($) => choice(
      repeat1($.dimension), seq("(", "*", ")", $.parameters),
    ),
    _declarator: ($) => seq(
      repeat(choice("*", $.qualifier)),
      choice(field("name", $.identifier), seq("(", $._declarator, ")")),
      repeat(choice($.dimension, $.parameters)),
    ),
    dimension: ($) => seq("[", optional(separated(choice($.parameter, $._expression))), "]"),
    parameters: ($) => seq("(", optional(separated(choice($.parameter, "..."))), ")"),
    parameter: ($) => prec.dynamic(-1, seq($.type, repeat("*"), optional(field("name", $.identifier)), repeat($.dimension))),

    // -------------------------------------------------------------- words
    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,
    number: () => token(/(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*/),
    string: () => token(seq('"', /([^"\\\n]|\\(.|\n))*/, '"')),
    character: () => token(seq("'", /([^'\\\n]|\\(.|\n))+/, "'")),
    comment: () => token(choice(seq("//", /[^\n]*/), seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/"))),
    directive: () => token(seq("#", /([^\\\n]|\\(.|\n))*/)),
  },
});
