package countersign

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// cursored are the parameters of a list, with the page that is next.
type cursored struct {
	params any
	cursor string
}

// encodeQuery writes a pointer to a struct of parameters, whose names stand in the tag `form`, as a query string with
// its question mark. What is nil is left out, and a list is its values with commas between them.
func encodeQuery(params any) (string, error) {
	values := url.Values{}
	if list, ok := params.(cursored); ok {
		if list.cursor != "" {
			values.Set("cursor", list.cursor)
		}
		params = list.params
	}
	pointer := reflect.ValueOf(params)
	if params != nil && !pointer.IsNil() {
		fields := pointer.Elem()
		for index := range fields.NumField() {
			name, _, _ := strings.Cut(fields.Type().Field(index).Tag.Get("form"), ",")
			field := fields.Field(index)
			if name == "" || field.Kind() == reflect.Pointer && field.IsNil() {
				continue
			}
			text, err := textOf(reflect.Indirect(field))
			if err != nil {
				return "", fmt.Errorf("countersign: %s: %w", name, err)
			}
			values.Set(name, text)
		}
	}
	if len(values) == 0 {
		return "", nil
	}
	return "?" + values.Encode(), nil
}

func textOf(value reflect.Value) (string, error) {
	if at, ok := value.Interface().(time.Time); ok {
		return at.UTC().Format("2006-01-02T15:04:05.000Z"), nil
	}
	switch value.Kind() {
	case reflect.Slice:
		texts := make([]string, value.Len())
		for index := range texts {
			text, err := textOf(value.Index(index))
			if err != nil {
				return "", err
			}
			texts[index] = text
		}
		return strings.Join(texts, ","), nil
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64:
		return fmt.Sprint(value.Interface()), nil
	default:
		return "", fmt.Errorf("a parameter of the kind %s is not known", value.Kind())
	}
}
