package main

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
)

// schemaPaths precedes a list of paths, which have the names in the schema in all languages.
const schemaPaths = "Possible paths: "

// codeSpan matches a name or a path of names, such as `Deployment.sourceConfig`.
var codeSpan = regexp.MustCompile("`[A-Za-z][A-Za-z0-9]*(?:\\.[A-Za-z][A-Za-z0-9]*)*`")

// withPythonNames returns a schema whose descriptions refer to properties and functions by their names in Python. The
// generator translates only the names in the code.
func withPythonNames(text []byte) ([]byte, error) {
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, err
	}
	// A resource option.
	names := map[string]bool{"customTimeouts": true}
	addPropertyNames(schema, names)
	functions, _ := schema["functions"].(map[string]any)
	for token := range functions {
		names[token[strings.LastIndex(token, ":")+1:]] = true
	}
	renameInDescriptions(schema, names)
	return json.Marshal(schema)
}

func addPropertyNames(value any, names map[string]bool) {
	fields, _ := value.(map[string]any)
	for key, field := range fields {
		properties, isObject := field.(map[string]any)
		if isObject && (key == "properties" || key == "inputProperties" || key == "variables") {
			for name := range properties {
				names[name] = true
			}
		}
		addPropertyNames(field, names)
	}
}

func renameInDescriptions(value any, names map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			renameInDescriptions(item, names)
		}
	case map[string]any:
		for key, field := range value {
			if text, isText := field.(string); isText && key == "description" {
				value[key] = renameInText(text, names)
			} else {
				renameInDescriptions(field, names)
			}
		}
	}
}

func renameInText(text string, names map[string]bool) string {
	prose, paths, hasPaths := strings.Cut(text, schemaPaths)
	// Every second part is an example.
	parts := strings.Split(prose, "```")
	for index := 0; index < len(parts); index += 2 {
		parts[index] = codeSpan.ReplaceAllStringFunc(parts[index], func(span string) string {
			path := strings.Split(strings.Trim(span, "`"), ".")
			for position, name := range path {
				if names[name] {
					path[position] = python.PyName(name)
				}
			}
			return "`" + strings.Join(path, ".") + "`"
		})
	}
	renamed := strings.Join(parts, "```")
	if hasPaths {
		return renamed + schemaPaths + paths
	}
	return renamed
}
