// Generates the SDKs of a package, and example programs in the languages of the SDKs, with the engine's generators.
//
//	sdk-generator sdks <schema> <folder>
//	sdk-generator programs <schema> <programs>
//	sdk-generator program <language> <loader> <sources>
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-agentserver"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "sdks":
		return writeSDKs(args[1], args[2])
	case len(args) == 3 && args[0] == "programs":
		return printPrograms(args[1], args[2])
	case len(args) == 4 && args[0] == "program":
		return printProgram(args[1], args[2], args[3])
	}
	return errors.New("usage: sdk-generator sdks <schema> <folder> | " +
		"programs <schema> <programs> | program <language> <loader> <sources>")
}

// writeSDKs writes one folder per language.
func writeSDKs(path, folder string) error {
	generators := map[string]func(*schema.Package, schema.ReferenceLoader) (map[string][]byte, error){
		"python": func(pkg *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
			return python.GeneratePackage(tool, pkg, nil, loader)
		},
		"go": func(pkg *schema.Package, _ schema.ReferenceLoader) (map[string][]byte, error) {
			return gogen.GeneratePackage(tool, pkg, nil)
		},
		"nodejs": func(pkg *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
			return nodejs.GeneratePackage(tool, pkg, nil, nil, false, loader)
		},
	}
	for language, generate := range generators {
		// Each generator changes the package that it reads.
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if language == "python" {
			if text, err = withPythonNames(text); err != nil {
				return err
			}
		}
		loader, err := bind(text)
		if err != nil {
			return err
		}
		files, err := generate(loader.pkg, loader)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		for name, text := range files {
			target := filepath.Join(folder, language, name)
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(target, text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// printPrograms reads a JSON file with programs in PCL by name, and prints each in every language.
func printPrograms(path, sources string) error {
	text, err := os.ReadFile(sources)
	if err != nil {
		return err
	}
	var programs map[string]string
	if err := json.Unmarshal(text, &programs); err != nil {
		return err
	}
	generators := map[string]programGenerator{
		"typescript": nodejs.GenerateProgram,
		"python":     python.GenerateProgram,
		"go":         gogen.GenerateProgram,
	}
	generated := map[string]map[string]string{}
	for name, source := range programs {
		generated[name] = map[string]string{}
		for language, generate := range generators {
			code, err := generateProgram(path, name, source, generate)
			if err != nil {
				return fmt.Errorf("%s in %s: %w", name, language, err)
			}
			generated[name][language] = code
		}
	}
	return json.NewEncoder(os.Stdout).Encode(generated)
}

type programGenerator func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

func generateProgram(path, name, source string, generate programGenerator) (string, error) {
	loader, err := load(path)
	if err != nil {
		return "", err
	}
	files, diagnostics, err := generateFiles(map[string]string{name + ".pp": source}, loader, generate)
	if err != nil {
		return "", err
	}
	if len(diagnostics) > 0 {
		return "", diagnostics
	}
	for _, text := range files {
		return string(text), nil
	}
	return "", errors.New("no program was generated")
}

// printProgram reads a JSON file with the files of a program in PCL by name, and prints the files of the same program
// in a language. Loads schemas from the loader service of an engine. Like the language hosts of Pulumi, it accepts
// programs that refer to undeclared variables.
func printProgram(language, address, path string) error {
	generate, known := map[string]programGenerator{
		"nodejs": nodejs.GenerateProgram,
		"python": python.GenerateProgram,
	}[language]
	if !known {
		return fmt.Errorf("no programs can be generated in %q", language)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var sources map[string]string
	if err := json.Unmarshal(text, &sources); err != nil {
		return err
	}
	client, err := schema.NewLoaderClient(address)
	if err != nil {
		return err
	}
	defer client.Close()
	files, diagnostics, err := generateFiles(
		sources, schema.NewCachedLoader(client), generate, pcl.NonStrictBindOptions()...)
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	texts := map[string]string{}
	for name, text := range files {
		texts[name] = string(text)
	}
	return json.NewEncoder(os.Stdout).Encode(texts)
}

// generateFiles generates the files of a program from its sources in PCL. Without files, the diagnostics are the reason.
func generateFiles(
	sources map[string]string, loader schema.ReferenceLoader, generate programGenerator, options ...pcl.BindOption,
) (map[string][]byte, hcl.Diagnostics, error) {
	parser := syntax.NewParser()
	for name, source := range sources {
		if err := parser.ParseFile(strings.NewReader(source), name); err != nil {
			return nil, nil, err
		}
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics, nil
	}
	program, bound, err := pcl.BindProgram(parser.Files, loader, options...)
	if err != nil || bound.HasErrors() {
		return nil, append(parser.Diagnostics, bound...), err
	}
	files, generated, err := generate(program)
	return files, append(append(parser.Diagnostics, bound...), generated...), err
}

// loader loads the package of the schema, which refers to no other package.
type loader struct {
	pkg *schema.Package
}

func load(path string) (*loader, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return bind(text)
}

// bind binds the schema. Warnings are errors, too.
func bind(text []byte) (*loader, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	none := &loader{}
	pkg, diagnostics, err := schema.BindSpec(spec, none, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return &loader{pkg}, nil
}

func (l *loader) find(name string) (*schema.Package, error) {
	if l.pkg == nil || l.pkg.Name != name {
		return nil, fmt.Errorf("the schema refers to the package %q", name)
	}
	return l.pkg, nil
}

func (l *loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	return l.find(name)
}

func (l *loader) LoadPackageV2(_ context.Context, descriptor *schema.PackageDescriptor) (*schema.Package, error) {
	return l.find(descriptor.Name)
}

func (l *loader) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.find(name)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l *loader) LoadPackageReferenceV2(
	_ context.Context, descriptor *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(descriptor.Name, nil)
}
